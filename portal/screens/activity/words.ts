/** Plain words for the acts of the log. */
import type { ActivityEntry } from "../../api/types.ts";
import { activityTexts as texts } from "../../text/activity.ts";

export function actOf({ resource_type, action }: Pick<ActivityEntry, "resource_type" | "action">): string {
  const thing = texts.types[resource_type] ?? resource_type;
  return `${thing} ${texts.actions[`${resource_type} ${action}`] ?? texts.actions[action] ?? action.replaceAll("_", " ")}`;
}

/** Whether something was changed: those who signed in or tried to have entries, too. */
export const isChange = ({ resource_type, action }: ActivityEntry): boolean =>
  !(resource_type === "user" && /^(sign_|password_)/.test(action));
