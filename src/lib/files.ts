/** Files of the service that a command looks for. */
import { accessSync, constants } from "node:fs";
import { invalid } from "./problem.ts";

/** Whether something is there. Throws a Problem when this user may not read it: that is not to be absent. */
export function isThere(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    const reason = code === "EACCES" ? "permission denied: run this as the owner of its directory" : String(code);
    throw invalid(`${path} cannot be read: ${reason}`);
  }
}
