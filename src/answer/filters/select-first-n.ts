/** Keeps the first answers. */
import { number } from "../../lib/fields.ts";
import { filter } from "./contract/filter.ts";

export const selectFirstN = filter({
  id: "select_first_n",
  shortdesc: "Keep the first N answers",
  desc: "Keeps the first <code>N</code> answers, in the order that earlier filters gave them.",
  tier: 2,
  kind: "eliminates",
  inputs: [],
  config: { N: number({ shortdesc: "Number of answers to keep", default: "1", least: 1, whole: true }) },
  sees: ({ N }) => N,
  reason: ({ N }) => `the answer is not among the first ${N}`,
  compile: ({ N }) => {
    return (selection) => selection.cut(N);
  },
});
