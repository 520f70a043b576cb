/** The route of undoing a change. */
import { route } from "../../write/route.ts";
import { Undo } from "./schema.ts";
import { undoOf } from "./undo.ts";

export const undoRoutes = [
  route({
    method: "GET",
    path: "/v1/changesets/:id/undo",
    tag: "Changes",
    summary: "Get the change set that undoes a change",
    desc: "Nothing is written: the reply has a change set to review and to apply. A change set can be undone while the activity log and the history have it; any other change while it is known. If anything that the change wrote has been changed again, the answer is 409 and names it.",
    right: "dns.manage_zones",
    secret: true,
    reply: Undo,
    run: ({ params }, ctx) => undoOf(ctx, params.id),
  }),
];
