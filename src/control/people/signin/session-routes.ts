/** The routes of a user's own sessions. */
import { Type } from "typebox";
import { missing } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import { listSessions, removeSession, removeSessions } from "../credentials/session-store.ts";
import { route, writeAs } from "./context.ts";
import { getSession } from "./current-session.ts";
import { signInRoute, signInWrite, text } from "./schema.ts";
import { lifetimes } from "./sessions.ts";

const path = "/v1/auth/sessions";

const Session = Type.Object(
  {
    id: Type.String({ description: "Identifies the session in paths. It is not a credential." }),
    created: Type.Integer({ description: "The time at which the password was given last." }),
    used_at: Type.Integer(),
    address: text("The address from which the session began."),
    agent: text("The browser's User-Agent."),
    current: Type.Boolean({ description: "Whether this is the session of the request." }),
  },
  { $id: "Session" },
);

export const sessionRoutes = [
  route({
    ...signInRoute,
    method: "GET",
    path,
    summary: "List your sessions",
    reply: Type.Array(Session),
    async run(_, ctx) {
      const { id, user } = await getSession(ctx, "full");
      const sessions = await listSessions(ctx.db, user, ctx.now, lifetimes);
      return sessions.map((session) => ({ ...session, current: session.id === id }));
    },
  }),
  route({
    ...signInWrite,
    method: "DELETE",
    path: `${path}/:id`,
    summary: "End one of your sessions",
    reply: "status",
    async run({ params }, ctx) {
      const { user } = await getSession(ctx, "full");
      const end = async (tx: Ctx) => {
        if (!(await removeSession(tx.db, user, params.id))) throw missing("session not found");
        tx.afterCommit("callers");
      };
      await writeAs(ctx, user, "session_end", end, () => ({ session: params.id }));
      return {};
    },
  }),
  route({
    ...signInWrite,
    method: "DELETE",
    path,
    summary: "End your other sessions",
    reply: "status",
    async run(_, ctx) {
      const { id, user } = await getSession(ctx, "full");
      const end = async (tx: Ctx) => {
        tx.afterCommit("callers");
        return await removeSessions(tx.db, user, id);
      };
      await writeAs(ctx, user, "sessions_end", end, (ended) => ({ ended }));
      return {};
    },
  }),
];
