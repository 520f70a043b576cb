/** The columns with envelopes of the secrets kit, and the functions that move them to another master key. */
import { randomBytes } from "node:crypto";
import { type Insertable, sql, type Transaction } from "kysely";
import { newKeyString } from "../../lib/ids.ts";
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
  /** Whether other rows have a text that is no secret in the column. */
  readonly mayBePlain?: true;
  /** Draws a secret in place of one that is lost. Without it, a row is of no use when its secret is lost. */
  readonly draw?: () => string;
}

const ofZone = (row: TextRow) => `zone.secondary_key:${row["id"]}`;
/** Secrets of TSIG keys are written in base64, those of second factors in base 32 (RFC 4648). */
const inBase64 = () => randomBytes(32).toString("base64");
const inBase32 = () => Array.from(randomBytes(32), (octet) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[octet & 31]).join("");

/** The sealed column of each table. Values that are not envelopes are left unchanged. */
export const sealedColumns: { readonly [Table in keyof Tables]?: SealedColumn } = {
  api_key: {
    ...{ column: "secret", id: "id", key: "id", draw: newKeyString },
    context: (row) => `api_key.secret:${row["id"]}`,
  },
  api_key_secret: {
    ...{ column: "secret", id: "id", key: "key_id" },
    context: (row) => `api_key_secret.secret:${row["id"]}`,
  },
  user_credential: {
    ...{ column: "totp", id: "user_id", draw: inBase32 },
    context: (row) => `user_credential.totp:${row["user_id"]}`,
  },
  draft: { column: "content", id: "id", context: (row) => `draft.content:${row["id"]}` },
  tsig_key: {
    ...{ column: "secret", id: "name", draw: inBase64 },
    context: (row) => `tsig_key.secret:${row["account_id"]}:${row["name"]}`,
  },
  zone: { column: "secondary_key", id: "id", draw: inBase64, context: ofZone },
  deleted_zone: { column: "fields", field: "secondary_key", id: "id", draw: inBase64, context: ofZone },
  mail: { column: "content", id: "id", context: (row) => `mail.content:${row["id"]}` },
  idempotency: {
    ...{ column: "body", id: "key", mayBePlain: true },
    context: (row) => `idempotency.body:${row["account_id"]}:${row["key"]}`,
  },
};

/** Returns the row with its secret sealed again; the same row if it has no secret. */
export const reseal = (table: keyof Tables, row: TextRow, from: Secrets, to: Secrets): TextRow =>
  replaced(table, row, isSealed, (envelope, context) => to.seal(from.open(envelope, context), context));

/** Throws a Problem if the row has a secret that does not open. */
export function assertOpens(table: keyof Tables, row: TextRow, secrets: Secrets): void {
  const isSecret = sealedColumns[table]?.mayBePlain ? isSealed : () => true;
  replaced(table, row, isSecret, (envelope, context) => {
    secrets.open(envelope, context);
    return envelope;
  });
}

/** In place of a secret that was left out. */
const nothing = "";

/** Returns the row without its secret; undefined if it is of no use without; the same row if it has no secret. */
export function withoutSecret(table: keyof Tables, row: TextRow): TextRow | undefined {
  const after = replaced(table, row, isSealed, () => nothing);
  return after === row || sealedColumns[table]?.draw ? after : undefined;
}

/** Returns the row with a new secret in place of one that was left out; the same row if none was left out. */
export function withNewSecret(table: keyof Tables, row: TextRow, secrets: Secrets): TextRow {
  const draw = sealedColumns[table]?.draw;
  if (!draw) return row;
  const isLeftOut = (text: string) => text === nothing;
  return replaced(table, row, isLeftOut, (_, context) => secrets.seal(draw(), context));
}

/** Returns the row with another text for its secret; the same row if it has none, or `isMeant` is false for its text. */
function replaced(
  table: keyof Tables,
  row: TextRow,
  isMeant: (text: string) => boolean,
  replace: (text: string, context: string) => string,
): TextRow {
  const sealed = sealedColumns[table];
  const text = sealed && row[sealed.column];
  if (!sealed || typeof text !== "string") return row;
  const { column, field } = sealed;
  const object = field === undefined ? undefined : JSON.parse(text);
  const secret: unknown = field === undefined ? text : object[field];
  if (typeof secret !== "string" || !isMeant(secret)) return row;
  const after = replace(secret, sealed.context(row));
  return { ...row, [column]: field === undefined ? after : JSON.stringify({ ...object, [field]: after }) };
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
