/** An entry as replies and reports show it. */
import { type Static, Type } from "typebox";
import { nullable } from "../../kit/schema.ts";
import type { ActivityRow } from "../../write/activity/store.ts";

export const Entry = Type.Object(
  {
    id: Type.String(),
    resource_type: Type.String(),
    resource_id: Type.String(),
    user_id: Type.String(),
    user_name: Type.String(),
    user_type: Type.String(),
    action: Type.String(),
    timestamp: Type.Integer(),
    address: nullable(Type.String({ description: "Where the caller was; blank for what the service did by itself." })),
    resource: Type.Unsafe<unknown>({
      description: "The resource after the act, secrets blanked; `omitted` names fields that were too large to keep.",
    }),
    before: Type.Optional(
      Type.Unsafe<unknown>({
        description:
          "Of a change: the fields that it changed, as they were, secrets blanked; null for those that were not there.",
      }),
    ),
  },
  { $id: "ActivityEntry" },
);

export function entryReply({ account_id: _, zone: __, before, ...row }: ActivityRow): Static<typeof Entry> {
  return before === null ? row : { ...row, before };
}
