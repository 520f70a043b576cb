/** Prefers answers with a low priority number. */
import { lowestFirst } from "./parts/lowest.ts";

export const priority = lowestFirst("priority", {
  shortdesc: "Prefer answers of the best priority",
  desc: "Sorts answers by <code>priority</code>, lowest number first, those without one last. With <code>eliminate</code> only those with the lowest number stay.",
});
