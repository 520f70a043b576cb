/** What an import of a file without secrets has to name: keys and users whose secret was lost. */
import type pg from "pg";
import type { TextRow } from "../secrets/sealed.ts";
import type { Tables } from "../tables/index.ts";

/** What lost its secret, by table. */
const kinds = {
  api_key: "api_key",
  tsig_key: "tsig_key",
  zone: "zone",
  deleted_zone: "deleted_zone",
  user_credential: "user",
} as const;

export interface Lost {
  readonly account: string;
  readonly account_id: string;
  readonly kind: (typeof kinds)[keyof typeof kinds];
  readonly name: string;
  /** The API key has no string of its own; its expiring secrets were left out. */
  readonly expires: boolean;
}

/** Like `Lost`, with the id of a user for its name. */
export type LostRow = Omit<Lost, "account">;

/** Whether a row is that of an API key which has only expiring secrets. */
export const isExpiring = (table: keyof Tables, { secret }: TextRow) => table === "api_key" && secret === null;

export function lostRow(table: keyof Tables, row: TextRow): LostRow {
  const name = row["name"] ?? row["zone"] ?? row["user_id"] ?? "";
  const kind = kinds[table as keyof typeof kinds];
  return { account_id: row["account_id"]!, kind, name, expires: isExpiring(table, row) };
}

/** Returns the rows with the names of their accounts and users. */
export async function namesOf(client: pg.Client, rows: readonly LostRow[]): Promise<Lost[]> {
  if (rows.length === 0) return [];
  const named = "select id, name from account union all select id, username from account_user";
  const found = await client.query<{ id: string; name: string }>(named);
  const names = new Map(found.rows.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    ...row,
    account: names.get(row.account_id) ?? row.account_id,
    name: row.kind === "user" ? (names.get(row.name) ?? row.name) : row.name,
  }));
}
