/** The parameters of the list of zones, and what they ask for. */
import { type Static, Type } from "typebox";
import { invalidField } from "../../../lib/problem.ts";
import { zonesClosed, zonesNamed } from "../../access/access.ts";
import { printCursor, scanCursor } from "../../kit/listing.ts";
import type { Ctx } from "../../write/context.ts";
import { states as delegationStates } from "../delegation/compare.ts";
import { mostTagLength } from "../model/record/tags.ts";
import { likePattern, parseTerm } from "../search/match.ts";
import { kinds, orders, sorts, type ZoneFilter, type ZoneOrder, type ZonePlace } from "./store.ts";

export const right = "dns.view_zones";
const longestTerm = 1024;

const oneOf = <const Value extends string>(values: readonly Value[], description: string) =>
  Type.Optional(Type.Unsafe<Value>({ type: "string", enum: values, description }));

export const ListQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: longestTerm,
      description: "Part of a name, in DNS or in Unicode, case-insensitive; `*` is a wildcard.",
    }),
  ),
  kind: oneOf(kinds, "Zones of this kind only."),
  tag: Type.Optional(
    Type.String({
      maxLength: 2 * mostTagLength + 1,
      description: "Zones with this tag only: its name, or `name:value`.",
    }),
  ),
  status: oneOf(["enabled", "disabled"], "Zones that are answered, or zones with `disabled`."),
  network: Type.Optional(Type.Integer({ minimum: 0, description: "Zones on the network with this id only." })),
  delegation: oneOf(delegationStates, "Zones whose delegation is in this state only."),
  sort: oneOf(sorts, "What the list is sorted by: `name` when left out. Equal zones are in the order of their names."),
  order: oneOf(orders, "`asc` when left out."),
  fields: oneOf(["delegation"], "A field that zones have only if it is asked for."),
  export: oneOf(["csv"], "A file in this format instead of a page, with all zones that match."),
});
export type ListQuery = Static<typeof ListQuery>;

/** What a caller asks for, among the zones that it may see. */
export interface WantedZones extends ZoneOrder {
  readonly filter: ZoneFilter;
}

export function wantedZones({ caller: { access } }: Pick<Ctx, "caller">, query: ListQuery): WantedZones {
  const { q, kind, tag, status, network, delegation, sort = "name", order = "asc" } = query;
  const named = zonesNamed(access, right);
  // names are stored in this normal form
  const term = q && parseTerm(q.normalize("NFKC"));
  return {
    sort,
    order,
    filter: {
      ...(named ? { only: [...named] } : { except: [...zonesClosed(access, right)] }),
      like: term ? likePattern(term) : undefined,
      kind,
      tag: tag || undefined,
      disabled: status && status === "disabled",
      network,
      delegation,
    },
  };
}

/** The cursor of a list is a name; in lists that are not sorted by name, a number follows. */
export const cursorOf = ({ sort }: ZoneOrder, { zone, value }: ZonePlace): string =>
  sort === "name" ? zone : printCursor(zone, String(value));

export function placeOf({ sort }: ZoneOrder, cursor: string | undefined): ZonePlace | undefined {
  if (cursor === undefined) return undefined;
  if (sort === "name") return { zone: cursor, value: 0 };
  const [zone, value] = scanCursor(cursor);
  if (!/^\d{1,15}$/.test(value)) {
    throw invalidField("after", `is not the cursor of a list sorted by ${sort}: use the address in the Link header`);
  }
  return { zone, value: Number(value) };
}
