/** Prefers cheap answers. */
import { lowestFirst } from "./parts/lowest.ts";

export const cost = lowestFirst("cost", {
  shortdesc: "Prefer the cheapest answers",
  desc: "Sorts answers by <code>cost</code>, cheapest first, answers without a cost last. With <code>eliminate</code>, only the cheapest stay.",
});
