/** Prefers answers with a low priority number. */
import { lowestFirst } from "./parts/lowest.ts";

export const priority = lowestFirst("priority", {
  shortdesc: "Prefer answers with the best priority",
  desc: "Sorts answers by <code>priority</code>, lowest number first, answers without a priority last. With <code>eliminate</code>, only answers with the lowest number stay.",
});
