/** Domain names as people read them. */
import { domainToUnicode } from "node:url";

/** A name in the API's form with its A-labels in Unicode; null if it has none. */
export function unicodeName(name: string): string | null {
  if (!name.includes("xn--")) return null;
  // a label that is no A-label in spite of its prefix stays as it is
  const labels = name.split(".").map((label) => (/^xn--[a-z0-9-]+$/.test(label) && domainToUnicode(label)) || label);
  const shown = labels.join(".");
  return shown === name ? null : shown;
}
