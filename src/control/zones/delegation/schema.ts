/** Schemas of the delegation of a zone. */
import { type Static, Type } from "typebox";
import { nullable } from "../../kit/schema.ts";
import { type DelegationState, states } from "./compare.ts";

export const State = Type.Unsafe<DelegationState>({
  type: "string",
  enum: states,
  description:
    "`delegated` to the zone's name servers here; `partly`: other servers or glue at the parent; `elsewhere`: to other servers only; `not_delegated`; `unknown`.",
});
export const lookedAt = nullable(Type.Integer({ description: "The time of the last look; null before the first." }));
const serverList = (description: string) =>
  Type.Array(Type.Object({ name: Type.String(), addresses: Type.Array(Type.String()) }), { description });

export const DelegationReply = Type.Object(
  {
    zone: Type.String(),
    state: State,
    reason: nullable(Type.String({ description: "Why the zone is not wholly delegated; null if it is." })),
    looked_at: lookedAt,
    asked: nullable(
      Type.Unsafe<"parent" | "resolver">({
        type: "string",
        enum: ["parent", "resolver"],
        description: "Who said so: a server of the parent, or the resolver if none of them can be asked.",
      }),
    ),
    found: serverList("The name servers that the parent names, with its glue."),
    expected: serverList("What to set at the parent: the zone's name servers, with glue for those inside of the zone."),
  },
  { $id: "Delegation" },
);
export type DelegationReply = Static<typeof DelegationReply>;
