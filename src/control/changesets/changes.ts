/** The route for the state of a change, by the id that the reply to a write has in X-Fairlead-Change. */
import { Type } from "typebox";
import { missing } from "../../lib/problem.ts";
import { findChange } from "../../storage/outbox/changes.ts";
import { nullable } from "../kit/schema.ts";
import { route } from "../write/route.ts";

export const changeRoutes = [
  route({
    method: "GET",
    path: "/v1/changes/:id",
    tag: "Changes",
    summary: "Get the revision of a change",
    desc: "Changes are known for a day. Edges apply revisions in order: an edge that reports this revision or a later one has applied the change.",
    right: "dns.view_zones",
    reply: Type.Object({
      id: Type.String(),
      revision: nullable(Type.Integer({ description: "Null until the change has its position in the order." })),
      serials: Type.Record(Type.String(), Type.Integer(), { description: "New serials by zone id." }),
    }),
    async run({ params: { id } }, { db, account_id }) {
      const change = await findChange(db, account_id, id);
      if (!change) throw missing("change not found", { id });
      return { id, revision: change.revision, serials: change.serials ?? {} };
    },
  }),
];
