/** The route that lists what needs attention. */
import { type Static, Type } from "typebox";
import { Reply } from "../../http/route/route.ts";
import { type Access, holds, reachesAll, reachesZone } from "../access/access.ts";
import { openPage, scanWhole } from "../kit/listing.ts";
import { anyObject } from "../kit/schema.ts";
import { route } from "../write/route.ts";
import { type About, abouts, type Kind, kinds, kindsOf, severities } from "./item.ts";
import { type AttentionPlace, type AttentionRow, listItems } from "./store.ts";

const AttentionItem = Type.Object(
  {
    kind: Type.Enum(kinds),
    severity: Type.Enum(severities),
    since: Type.Integer({ description: "When it began, or was found, in Unix seconds." }),
    message: Type.String({ description: "One sentence." }),
    thing: Type.Object({
      type: Type.Enum(["zone", "feed", "key", "limit"] as const),
      id: Type.String({ description: "The id of the zone, feed or key; the name of the limit." }),
      name: Type.String(),
    }),
    detail: anyObject("Further fields by kind."),
  },
  { $id: "AttentionItem" },
);
type AttentionItem = Static<typeof AttentionItem>;

export const attentionRoutes = [
  route({
    method: "GET",
    path: "/v1/attention",
    tag: "Attention",
    summary: "List what needs attention",
    desc: "The worst first, then the newest: failing transfers, zones that expire, silent feeds, probable mistakes in zones, keys that end, and limits that are nearly reached. The list is kept in the background: it follows writes after some seconds, and everything else after some minutes. Shows what the caller may see.",
    right: "any",
    query: Type.Object({
      kind: Type.Optional(Type.Unsafe<Kind>({ type: "string", enum: [...kinds], description: "Only this kind." })),
    }),
    reply: Type.Array(AttentionItem),
    page: 1000,
    async run({ query, page }, { db, account_id, caller }) {
      const wanted = kinds.filter((kind) => query.kind === undefined || query.kind === kind);
      const open = wanted.filter((kind) => mayShow[aboutOf(kind)](caller.access));
      const start = scanPlace(page.after);
      const { items, last } = await openPage<AttentionRow>(
        page.limit,
        (row) => isOpen(caller.access, row),
        async (after, count) => (open.length === 0 ? [] : await listItems(db, account_id, open, after ?? start, count)),
      );
      return new Reply(items.map(reply), { next: last && printPlace(last) });
    },
  }),
];

const aboutOf = (kind: string): About => abouts.find((about) => kindsOf[about].some((one) => one === kind))!;

/** Whether a caller may see things of this kind at all. */
const mayShow: Readonly<Record<About, (access: Access) => boolean>> = {
  zone: (access) => holds(access, "dns.view_zones"),
  lint: (access) => holds(access, "dns.view_zones"),
  feed: (access) => holds(access, "data.manage_datafeeds") || holds(access, "data.manage_datasources"),
  key: (access) => holds(access, "account.manage_apikeys"),
  limit: (access) => holds(access, "account.manage_account_settings"),
};

/** Mistakes may be those of any record of a zone. */
function isOpen(access: Access, { kind, zone }: AttentionRow): boolean {
  if (zone === "") return true;
  return (aboutOf(kind) === "lint" ? reachesAll : reachesZone)(access, "dns.view_zones", zone);
}

const reply = ({ kind, severity, since, message, thing, name, detail }: AttentionRow): AttentionItem => ({
  kind: kind as Kind,
  severity: severities[severity]!,
  since,
  message,
  thing: { type: typeOf[aboutOf(kind)], id: thing, name },
  detail,
});

const typeOf = { zone: "zone", lint: "zone", feed: "feed", key: "key", limit: "limit" } as const;

/** None of the parts has a blank. */
const printPlace = ({ severity, since, kind, thing }: AttentionPlace) => `${severity} ${since} ${kind} ${thing}`;

/** Reads a cursor of an untrusted client. */
function scanPlace(text: string | undefined): AttentionPlace | undefined {
  if (text === undefined) return undefined;
  const [severity, since, kind = "", thing = ""] = text.split(" ");
  return { severity: Math.min(scanWhole(severity), severities.length), since: scanWhole(since), kind, thing };
}
