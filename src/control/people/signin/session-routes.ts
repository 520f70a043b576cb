/** The routes of a user's own sessions. */
import { Type } from "typebox";
import { missing } from "../../../lib/problem.ts";
import { listSessions, removeSession, removeSessions } from "../credentials/session-store.ts";
import { route } from "./context.ts";
import { getSession } from "./current-session.ts";
import { resourceOf } from "./proofs.ts";
import { ofPages, text } from "./schema.ts";
import { lifetimes } from "./sessions.ts";

const path = "/v1/auth/sessions";

const Session = Type.Object(
  {
    id: Type.String({ description: "Identifies the session in paths. It is not a credential." }),
    created: Type.Integer(),
    used_at: Type.Integer(),
    address: text("The address from which the session began."),
    agent: text("The browser's User-Agent."),
    current: Type.Boolean({ description: "Whether this is the session of the request." }),
  },
  { $id: "Session" },
);

export const sessionRoutes = [
  route({
    ...ofPages,
    method: "GET",
    path,
    summary: "List your sessions",
    reply: Type.Array(Session),
    async run(_, ctx) {
      const { id, signer } = await getSession(ctx, "full");
      const sessions = await listSessions(ctx.db, signer, ctx.now, lifetimes);
      return sessions.map((session) => ({ ...session, current: session.id === id }));
    },
  }),
  route({
    ...ofPages,
    method: "DELETE",
    ownTransaction: true,
    path: `${path}/:id`,
    summary: "End one of your sessions",
    reply: "status",
    async run({ params }, ctx) {
      const { signer, caller } = await getSession(ctx, "full");
      await ctx.transact(
        ["user", "session_end"],
        async (tx) => {
          if (!(await removeSession(tx.db, signer, params.id))) throw missing("session not found");
          tx.afterCommit("callers");
          return { result: undefined, resource: { ...resourceOf(signer), session: params.id } };
        },
        caller,
      );
      return {};
    },
  }),
  route({
    ...ofPages,
    method: "DELETE",
    ownTransaction: true,
    path,
    summary: "End your other sessions",
    reply: "status",
    async run(_, ctx) {
      const { id, signer, caller } = await getSession(ctx, "full");
      await ctx.transact(
        ["user", "sessions_end"],
        async (tx) => {
          const ended = await removeSessions(tx.db, signer, id);
          tx.afterCommit("callers");
          return { result: undefined, resource: { ...resourceOf(signer), ended } };
        },
        caller,
      );
      return {};
    },
  }),
];
