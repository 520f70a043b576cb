/** The schema of entries in replies and reports. */
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
    address: nullable(Type.String({ description: "The caller's address; empty for acts of the service itself." })),
    resource: Type.Unsafe<unknown>({
      description:
        "The resource after the act, with empty secrets; `omitted` names fields that were too large to store.",
    }),
    before: Type.Optional(
      Type.Unsafe<unknown>({
        description:
          "For a change: the earlier values of the changed fields, with empty secrets; null for fields that did not exist.",
      }),
    ),
  },
  { $id: "ActivityEntry" },
);

export function entryReply({ account_id: _, zone: __, before, ...row }: ActivityRow): Static<typeof Entry> {
  return before === null ? row : { ...row, before };
}
