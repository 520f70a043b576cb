/** The activity log, for reading. */
import { type Static, Type } from "typebox";
import { invalid, notBuilt } from "../../lib/problem.ts";
import { filtersRecords, type Grant, opensRecord, opensZone } from "../access/permit.ts";
import { route } from "../route.ts";
import { type ActivityRow, listEntries } from "./store.ts";

const Entry = Type.Object(
  {
    id: Type.String(),
    resource_type: Type.String(),
    resource_id: Type.String(),
    user_id: Type.String(),
    user_name: Type.String(),
    user_type: Type.String(),
    action: Type.String(),
    timestamp: Type.Integer(),
    resource: Type.Unsafe<unknown>({ description: "The resource after the act, secrets blanked." }),
  },
  { $id: "ActivityEntry" },
);

const ActivityQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, description: "Entries at most; 50 when left out." })),
  start: Type.Optional(Type.String({ description: "Earliest time, in Unix seconds." })),
  end: Type.Optional(Type.String({ description: "Latest time, in Unix seconds." })),
  resource_type: Type.Optional(Type.String()),
  resource_id: Type.Optional(Type.String()),
  user: Type.Optional(Type.String({ description: "Name or id of the user or key." })),
  export: Type.Optional(Type.String()),
});

export const activityRoutes = [
  route({
    method: "GET",
    path: "/v1/account/activity",
    tag: "Account",
    summary: "List what was done",
    desc: "Newest first. A key that may see some zones only gets the entries of those.",
    right: "account.view_activity_log",
    query: ActivityQuery,
    reply: Type.Array(Entry),
    async run({ query }, { db, account_id, caller }) {
      const { limit = 50, resource_type, resource_id, user } = query;
      if (query.export !== undefined) throw notBuilt("export: reports are not built yet", { field: "export" });
      const [start, end] = [readTime(query, "start"), readTime(query, "end")];
      const rows = await listEntries(db, account_id, { limit, start, end, resource_type, resource_id, user });
      return rows.filter((row) => isOpen(caller.grant, row));
    },
  }),
];

function readTime(query: Static<typeof ActivityQuery>, field: "start" | "end"): number | undefined {
  const text = query[field];
  if (text === undefined || text === "") return undefined;
  if (!/^\d{1,12}(\.\d+)?$/.test(text)) {
    const message = `${field}: "${text}" is not a time in Unix seconds`;
    throw /\d|now|ago|yesterday|today/i.test(text)
      ? notBuilt(`${message}; others are not built yet`, { field })
      : invalid(message, { field });
  }
  return Math.floor(Number(text));
}

/** What lies in a zone. */
const ofZones = ["dns_zone", "dns_zone_version", "record", "zonefile"];

/** An entry shows its resource, so it is as open as that. */
function isOpen(grant: Grant, { resource_type, resource }: ActivityRow): boolean {
  if (resource_type === "changeset") return zonesOf(resource).every((zone) => opensZone(grant, zone));
  if (!ofZones.includes(resource_type)) return true;
  const { zone, domain, type } = namesOf(resource);
  if (zone === undefined) return false;
  if (domain !== undefined && type !== undefined) return opensRecord(grant, zone, domain, type);
  return resource_type === "record" ? opensZone(grant, zone) && !filtersRecords(grant, zone) : opensZone(grant, zone);
}

function zonesOf(resource: unknown): string[] {
  const { zones } = Object(resource) as { zones?: readonly { readonly zone: string }[] };
  return (zones ?? []).map(({ zone }) => zone);
}

function namesOf(resource: unknown): { zone?: string; domain?: string; type?: string } {
  return typeof resource === "object" && resource !== null ? resource : {};
}
