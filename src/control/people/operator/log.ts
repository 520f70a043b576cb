/** The commands of the operator in the activity logs of accounts. */
import type { Db } from "../../kit/store.ts";
import { type Act, activityEntry } from "../../write/activity/entry.ts";
import { insertEntry } from "../../write/activity/store.ts";

/** `command` is the command without the name of the program, such as `user invite`. */
export async function logCommand(
  db: Db,
  account_id: string,
  command: string,
  act: Pick<Act, "log" | "resource" | "before" | "now">,
): Promise<void> {
  const [id = ""] = command.split(" ");
  const caller = { account_id, kind: "system" as const, id, name: `fairlead ${command}` };
  await insertEntry(db, activityEntry({ caller, address: "", ...act }));
}
