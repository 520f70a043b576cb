/** A zone as the list shows it: with its delegation, if the caller asks for that. */
import { type Static, Type } from "typebox";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Ctx } from "../../write/context.ts";
import { lookedAt, State } from "../delegation/schema.ts";
import { findStates } from "../delegation/store.ts";
import { zoneOnly } from "../model/zone/present.ts";
import { ZoneOnly } from "../model/zone/schema.ts";

const Delegated = Type.Object(
  { state: State, looked_at: lookedAt },
  { description: "The delegation at the last look; only with `fields=delegation`." },
);

export const ListedZone = Type.Object(
  { ...ZoneOnly.properties, delegation: Type.Optional(Delegated) },
  { $id: "ListedZone" },
);
type ListedZone = Static<typeof ListedZone>;

export async function listedZones(ctx: Ctx, rows: readonly ZoneRow[], withDelegation: boolean): Promise<ListedZone[]> {
  if (!withDelegation) return rows.map((row) => zoneOnly(ctx, row));
  const stateOf = await delegationsOf(ctx, rows);
  return rows.map((row) => ({ ...zoneOnly(ctx, row), delegation: stateOf(row) }));
}

/** Returns a function that returns the delegation of one of these zones. */
export async function delegationsOf({ db, account_id }: Ctx, rows: readonly ZoneRow[]) {
  const states = await findStates(
    db,
    account_id,
    rows.map(({ id }) => id),
  );
  return ({ id }: ZoneRow): Static<typeof Delegated> => {
    const { state, looked_at } = states.get(id) ?? { state: null, looked_at: null };
    return { state: state ?? "unknown", looked_at };
  };
}
