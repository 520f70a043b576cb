/** The columns with envelopes of the secrets kit, and the functions that move them to another master key. */
import { type Insertable, sql, type Transaction } from "kysely";
import type { Secrets } from "../../lib/secrets.ts";
import { isSealed } from "../../lib/secrets.ts";
import type { Store } from "../db.ts";
import { across } from "../fence/exceptions.ts";
import type { KeyClaimTable } from "../tables/accounts.ts";
import type { Tables } from "../tables/index.ts";

/** A row by column, as text. */
export type TextRow = Readonly<Record<string, string | null>>;

interface SealedColumn {
  readonly column: string;
  /** The field with the envelope, if the column is a JSON object. */
  readonly field?: string;
  /** The column that identifies a row together with `account_id`. */
  readonly id: string;
  /** For secrets of API keys: the column with the id of the key. */
  readonly key?: string;
  /** The context to which an envelope is bound. */
  readonly context: (row: TextRow) => string;
}

const ofZone = (row: TextRow) => `zone.secondary_key:${row["id"]}`;

/** The sealed column of each table. Values that are not envelopes are left unchanged. */
export const sealedColumns: { readonly [Table in keyof Tables]?: SealedColumn } = {
  api_key: { column: "secret", id: "id", key: "id", context: (row) => `api_key.secret:${row["id"]}` },
  api_key_secret: {
    ...{ column: "secret", id: "id", key: "key_id" },
    context: (row) => `api_key_secret.secret:${row["id"]}`,
  },
  user_credential: { column: "totp", id: "user_id", context: (row) => `user_credential.totp:${row["user_id"]}` },
  tsig_key: { column: "secret", id: "name", context: (row) => `tsig_key.secret:${row["account_id"]}:${row["name"]}` },
  zone: { column: "secondary_key", id: "id", context: ofZone },
  deleted_zone: { column: "fields", field: "secondary_key", id: "id", context: ofZone },
  mail: { column: "content", id: "id", context: (row) => `mail.content:${row["id"]}` },
  idempotency: { column: "body", id: "key", context: (row) => `idempotency.body:${row["account_id"]}:${row["key"]}` },
};

/** Returns the row with its secret sealed again; the same row if it has no secret. */
export function reseal(table: keyof Tables, row: TextRow, from: Secrets, to: Secrets): TextRow {
  const sealed = sealedColumns[table];
  const text = sealed && row[sealed.column];
  if (!sealed || !text) return row;
  const { column, field } = sealed;
  const object = field === undefined ? undefined : JSON.parse(text);
  const envelope: unknown = field === undefined ? text : object[field];
  if (typeof envelope !== "string" || !isSealed(envelope)) return row;
  const context = sealed.context(row);
  const resealed = to.seal(from.open(envelope, context), context);
  return { ...row, [column]: field === undefined ? resealed : JSON.stringify({ ...object, [field]: resealed }) };
}

export type Claim = Insertable<KeyClaimTable>;

/** Returns the look-up hash of an API key's secret, which depends on the master key like its envelope. */
export function claimOf(table: keyof Tables, row: TextRow, secrets: Secrets): Claim | undefined {
  const sealed = sealedColumns[table];
  const envelope = sealed && row[sealed.column];
  if (!envelope || sealed.key === undefined) return undefined;
  const hash = secrets.hash(secrets.open(envelope, sealed.context(row)));
  const secret_id = sealed.key === sealed.id ? null : row[sealed.id]!;
  return { hash, account_id: row["account_id"]!, key_id: row[sealed.key]!, secret_id };
}

/** Seals all secrets of a store with the first key of `secrets`. Returns the number of recomputed look-up hashes. */
export async function rotate(store: Store, secrets: Secrets): Promise<number> {
  return await store.transaction(
    async (tx) => {
      await tx.deleteFrom("key_claim").execute();
      let count = 0;
      for (const [name, sealed] of Object.entries(sealedColumns)) {
        const table = name as keyof typeof sealedColumns;
        const rows = await resealAll(tx, table, sealed, secrets);
        const claims = rows.flatMap((row) => claimOf(table, row, secrets) ?? []);
        for (const claim of claims) await tx.insertInto("key_claim").values(claim).execute();
        count += claims.length;
      }
      return count;
    },
    { within: 600_000 },
  );
}

/** Returns the rows with a secret, as they were before. */
async function resealAll(
  tx: Transaction<Tables>,
  table: keyof Tables,
  sealed: SealedColumn,
  secrets: Secrets,
): Promise<TextRow[]> {
  const [into, column, id] = [sql.table(table), sql.ref(sealed.column), sql.ref(sealed.id)];
  const key = sql.ref(sealed.key ?? sealed.id);
  const { rows } = await sql<TextRow>`
    select account_id, ${id}, ${key}, ${column}::text from ${into} where ${column} is not null for update ${across("operator")}`.execute(
    tx,
  );
  for (const row of rows) {
    const resealed = reseal(table, row, secrets, secrets);
    if (resealed === row) continue;
    await sql`
      update ${into} set ${column} = ${resealed[sealed.column]}
      where account_id = ${row["account_id"]} and ${id} = ${row[sealed.id]}`.execute(tx);
  }
  return rows;
}
