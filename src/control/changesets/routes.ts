/** The routes of change sets, and of the state of a change by the id in X-Fairlead-Change. */
import { Type } from "typebox";
import { flag } from "../../http/route/query.ts";
import { Reply } from "../../http/route/route.ts";
import { missing } from "../../lib/problem.ts";
import { findChange } from "../../storage/outbox/changes.ts";
import { reachesZone } from "../access/access.ts";
import { nullable } from "../kit/schema.ts";
import { isFirstAccount } from "../kit/store.ts";
import { route } from "../write/route.ts";
import { confirmation } from "../zones/records/guard.ts";
import { loggedZones } from "../zones/versions/logged.ts";
import { effectReply, effectsOf, summaryOf, writtenZone } from "./effect.ts";
import { ChangeSetBody, ChangeSetProgress, ChangeSetReply } from "./schema.ts";
import { listEdges, namesOf } from "./store.ts";
import { writeAll } from "./write.ts";

export const changeSetOctets = 8 * 1024 * 1024;
export const changeSetValues = 500_000;
const tag = "Changes";
/** Seconds without a report after which an edge is no longer waited for; an edge that follows reports every few seconds. */
const awayAfter = 60;

export const changeRoutes = [
  route({
    method: "GET",
    path: "/v1/changes/:id",
    tag,
    summary: "Get the revision of a change",
    desc: "Changes are known for a day. Serials are those of zones that the key may see. Edges apply revisions in order: an edge that reports this revision or a later one has applied the change.",
    right: "dns.view_zones",
    reply: Type.Object({
      id: Type.String(),
      revision: nullable(
        Type.Integer({
          description:
            "Null until the change has its position in the order; always null for other accounts than the first.",
        }),
      ),
      numbered: Type.Boolean({ description: "Whether the change has its position in the order." }),
      serials: Type.Record(Type.String(), Type.Integer(), { description: "New serials by zone id." }),
    }),
    async run({ params: { id } }, { db, account_id, caller }) {
      const change = await findChange(db, account_id, id);
      if (!change) throw missing("change not found", { id });
      const revision = (await isFirstAccount(db, account_id)) ? change.revision : null;
      const serials = Object.entries(change.serials ?? {});
      const names = await namesOf(db, account_id, Object.keys(change.serials ?? {}));
      const shown = serials.filter(([zone_id]) => {
        const zone = names.get(zone_id);
        return zone !== undefined && reachesZone(caller.access, "dns.view_zones", zone);
      });
      return { id, revision, numbered: change.revision !== null, serials: Object.fromEntries(shown) };
    },
  }),
  route({
    method: "PUT",
    path: "/v1/changesets",
    tag,
    summary: "Change many zones and records at once",
    desc: "Writes everything or nothing, as one revision: no query is answered with only some of the changes. Zones are written before records, and deletions first. An error names the field: `records[3].answers[0]`. With `expect`, nothing is written if one of the zones that it names has another serial by now.",
    right: "dns.manage_zones",
    exactQuery: true,
    secret: true,
    query: Type.Object({
      dry_run: flag("`true` changes nothing, and shows the effect on zones, warnings and answers."),
      ...confirmation,
    }),
    body: ChangeSetBody,
    mostBody: changeSetOctets,
    mostKeys: 200_000,
    mostValues: changeSetValues,
    within: 30_000,
    reply: ChangeSetReply,
    log: ["changeset", "create"],
    async run({ query, body }, ctx) {
      const effects = await effectsOf(ctx, await writeAll(ctx, body, query));
      const zones = effects.map(summaryOf);
      if (query.dry_run) {
        return new Reply(
          { id: null, dry_run: true, zones, effect: await effectReply(ctx, effects) },
          { discarded: true },
        );
      }
      const reply = { id: ctx.changes.id, dry_run: false, zones, effect: null };
      if (effects.length === 0) return new Reply({ ...reply, id: null }, { changed: false });
      const { before, after } = loggedZones(ctx, effects.map(writtenZone));
      return new Reply(reply, { before: { ...reply, ...before }, resource: { ...reply, ...after } });
    },
  }),
  route({
    method: "GET",
    path: "/v1/changesets/:id",
    tag,
    summary: "Check whether a change is live",
    desc: "Takes the id of any change in `X-Fairlead-Change`. A change is known for at least ten minutes, and for a day until all edges have it.",
    right: "dns.view_zones",
    reply: ChangeSetProgress,
    async run({ params: { id } }, { db, account_id, now }) {
      const change = await findChange(db, account_id, id);
      if (!change) throw missing("change set not found", { id });
      const { revision } = change;
      const edges = (await listEdges(db)).map((edge) => {
        const applied = revision !== null && edge.revision >= revision;
        const away = !applied && now - Math.max(change.created, edge.seen_at) > awayAfter;
        return { id: edge.id, revision: edge.revision, applied, away, seen_at: edge.seen_at };
      });
      const awaited = edges.filter(({ away }) => !away);
      const live = awaited.length > 0 && awaited.every(({ applied }) => applied);
      // revisions count the changes of all accounts, and ids of edges are names of hosts
      if (!(await isFirstAccount(db, account_id))) return { id, revision: null, live, edges: [] };
      return { id, revision, live, edges };
    },
  }),
];
