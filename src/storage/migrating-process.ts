/** Process entry: migrates the store's schema, or sends the reason of the failure. */
import { newLog } from "../lib/log.ts";
import { Problem } from "../lib/problem.ts";
import { bringUpToDate } from "./db.ts";

/** Arguments: the store's URL, and the log level. */
const [url = "", level = ""] = process.argv.slice(2);
try {
  await bringUpToDate(url, newLog(level, "supervisor"));
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  process.send?.(error.message);
}
process.disconnect?.();
