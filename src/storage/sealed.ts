/** The columns that hold envelopes of the secrets kit, and how they are moved from one master key to another. */
import type { Secrets } from "../lib/secrets.ts";
import { isSealed } from "../lib/secrets.ts";
import type { Store } from "./db.ts";
import type { Tables } from "./tables.ts";

/** A row by column, as text. */
export type TextRow = Readonly<Record<string, string | null>>;

interface SealedColumn {
  readonly column: string;
  /** What an envelope is bound to. */
  readonly context: (row: TextRow) => string;
}

/** By table. Other values of these columns that are no envelopes are left alone. */
export const sealedColumns: { readonly [Table in keyof Tables]?: SealedColumn } = {
  api_key: { column: "secret", context: (row) => `api_key.secret:${row["id"]}` },
  tsig_key: { column: "secret", context: (row) => `tsig_key.secret:${row["account_id"]}:${row["name"]}` },
  zone: { column: "secondary_key", context: (row) => `zone.secondary_key:${row["id"]}` },
  idempotency: { column: "body", context: (row) => `idempotency.body:${row["account_id"]}:${row["key"]}` },
};

/** The row with its secret sealed anew. */
export function reseal(table: keyof Tables, row: TextRow, from: Secrets, to: Secrets): TextRow {
  const sealed = sealedColumns[table];
  const text = sealed && row[sealed.column];
  if (!sealed || !text || !isSealed(text)) return row;
  const context = sealed.context(row);
  return { ...row, [sealed.column]: to.seal(from.open(text, context), context) };
}

/** The look-up hash of an API key, which depends on the master key like its envelope does. */
export function claimOf(row: TextRow, secrets: Secrets): { hash: string; account_id: string; key_id: string } {
  const key = secrets.open(row["secret"]!, sealedColumns.api_key!.context(row));
  return { hash: secrets.hash(key), account_id: row["account_id"]!, key_id: row["id"]! };
}

/** Seals every secret of a store with the first key of `secrets`, and makes the look-up hashes anew. */
export async function rotate(store: Store, secrets: Secrets): Promise<number> {
  return await store.transaction(
    async (tx) => {
      const keys = await tx.selectFrom("api_key").select(["account_id", "id", "secret"]).forUpdate().execute();
      await tx.deleteFrom("key_claim").execute();
      for (const row of keys) {
        const { secret } = reseal("api_key", row, secrets, secrets);
        const own = { account_id: row.account_id, id: row.id };
        await tx
          .updateTable("api_key")
          .set({ secret: secret! })
          .where("account_id", "=", own.account_id)
          .where("id", "=", own.id)
          .execute();
        await tx.insertInto("key_claim").values(claimOf(row, secrets)).execute();
      }
      for (const row of await tx
        .selectFrom("tsig_key")
        .select(["account_id", "name", "secret"])
        .forUpdate()
        .execute()) {
        const { secret } = reseal("tsig_key", row, secrets, secrets);
        await tx
          .updateTable("tsig_key")
          .set({ secret: secret! })
          .where("account_id", "=", row.account_id)
          .where("name", "=", row.name)
          .execute();
      }
      const zones = tx
        .selectFrom("zone")
        .select(["account_id", "id", "secondary_key"])
        .where("secondary_key", "is not", null);
      for (const row of await zones.forUpdate().execute()) {
        const { secondary_key } = reseal("zone", row, secrets, secrets);
        await tx
          .updateTable("zone")
          .set({ secondary_key: secondary_key! })
          .where("account_id", "=", row.account_id)
          .where("id", "=", row.id)
          .execute();
      }
      const replies = await tx.selectFrom("idempotency").select(["account_id", "key", "body"]).execute();
      for (const row of replies.filter(({ body }) => isSealed(body))) {
        const { body } = reseal("idempotency", row, secrets, secrets);
        await tx
          .updateTable("idempotency")
          .set({ body: body! })
          .where("account_id", "=", row.account_id)
          .where("key", "=", row.key)
          .execute();
      }
      return keys.length;
    },
    { within: 600_000 },
  );
}
