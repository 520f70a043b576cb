/** A store with rows in every table of an export, including unusual text. */
import { systemClock } from "../../src/lib/clock.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Secrets } from "../../src/lib/secrets.ts";
import type { Store } from "../../src/storage/db.ts";
import { Sequencer } from "../../src/storage/sequencer/sequencer.ts";
import { exportedTables } from "../../src/storage/tables/owners.ts";
import { silent } from "./store.ts";
import { insertAccount, insertZone, now, putRecord } from "./writes.ts";

export const keyString = "a key string that must not be seen";
/** The string of a further secret of that key. */
export const rotatedString = "a secret of a key that must not be seen";
const awkward = 'tab\t newline\n return\r backslash \\ \\N "quotes" ünïcödé \u{1f30d} \\.';

export async function fill(store: Store, secrets: Secrets): Promise<{ account_id: string; key_id: string }> {
  const { db } = store;
  const account_id = await insertAccount(store);
  const key_id = newId();
  const common = { account_id, created: now(), last_access: null };
  await db
    .insertInto("account_user")
    .values({ ...common, id: "u", username: "u", email: "u@example.com", name: awkward, permissions: "{}" })
    .execute();
  const totp = secrets.seal(keyString, "user_credential.totp:u");
  await db
    .insertInto("user_credential")
    .values({ account_id, user_id: "u", password: awkward, totp, totp_since: now(), totp_step: 1 })
    .execute();
  await db.insertInto("recovery_code").values({ account_id, user_id: "u", hash: "h" }).execute();
  await db
    .insertInto("api_key")
    .values({
      ...{ ...common, id: key_id, name: awkward, secret: secrets.seal(keyString, `api_key.secret:${key_id}`) },
      ...{ permissions: '{"b": 1,  "a": 2}', ip_whitelist: "[]", ip_whitelist_strict: false, teams: "[]" },
    })
    .execute();
  await db
    .insertInto("team")
    .values({ account_id, id: "t", name: awkward, permissions: "{}", ip_whitelist: '[{"id": "e"}]', created: 1 })
    .execute();
  await db.insertInto("allow_list").values({ account_id, id: "a", name: awkward, values: '["192.0.2.1"]' }).execute();
  await db
    .insertInto("key_claim")
    .values({ hash: secrets.hash(keyString), account_id, key_id })
    .execute();
  const rotated = secrets.seal(rotatedString, "api_key_secret.secret:s");
  await db
    .insertInto("api_key_secret")
    .values({ account_id, key_id, id: "s", secret: rotated, expires_at: 2_000_000_000, enabled: true })
    .execute();
  await db
    .insertInto("key_claim")
    .values({ hash: secrets.hash(rotatedString), account_id, key_id, secret_id: "s" })
    .execute();
  await db.insertInto("login_claim").values({ login: "u", account_id, user_id: "u" }).execute();
  await db.insertInto("domain_claim").values({ domain: "example.com" }).execute();
  await db.insertInto("setting").values({ name: "text", value: awkward }).execute();
  const key = "a\tkey";
  const sealed = secrets.seal(`{"key":"${keyString}"}`, `idempotency.body:${account_id}:${key}`);
  for (const row of [
    { key, body: sealed },
    { key: "plain", body: awkward },
  ]) {
    await db
      .insertInto("idempotency")
      .values({ account_id, request: "r", status: 200, created: now(), ...row })
      .execute();
  }
  const name = "key.example";
  const secret = secrets.seal(keyString, `tsig_key.secret:${account_id}:${name}`);
  await db
    .insertInto("tsig_key")
    .values({ account_id, name, algorithm: "hmac-sha256", secret, created_at: now(), updated_at: now() })
    .execute();
  const content = secrets.seal(keyString, "mail.content:m");
  const about = { resource_type: "user", resource_id: "u" };
  const when = { gives_access: true, attempts: 0, created: now(), next_try: now() };
  await db
    .insertInto("mail")
    .values({ account_id, id: "m", recipient: "u@example.com", content, ...about, ...when })
    .execute();
  const draft = { account_id, user_id: "u", id: "d", name: awkward, zones: '["example.com"]', writes: 1, octets: 1 };
  const sealedDraft = secrets.seal(keyString, "draft.content:d");
  await db
    .insertInto("draft")
    .values({ ...draft, content: sealedDraft, created_at: now(), updated_at: now() })
    .execute();
  const view = { account_id, user_id: "u", id: "v", name: awkward, page: "zones", settings: '{"b": 1,  "a": 2}' };
  await db
    .insertInto("saved_view")
    .values({ ...view, created_at: now(), updated_at: now() })
    .execute();
  const zone = await insertZone(store, account_id, "example.com");
  const delegation = { account_id, zone_id: zone.id, due_at: now(), state: "elsewhere", asked: "parent" };
  await db
    .insertInto("zone_delegation")
    .values({ ...delegation, looked_at: now(), found: '[["ns.example",["192.0.2.1"]]]' })
    .execute();
  const secondary_key = secrets.seal(keyString, `zone.secondary_key:${zone.id}`);
  await db.updateTable("zone").set({ secondary_key }).where("id", "=", zone.id).execute();
  const claim = { view: "", fqdn: "example.com", registrable: "example.com", account_id, zone_id: zone.id };
  await db.insertInto("zone_claim").values(claim).execute();
  const counts = { account_id, zone: "example.com", at: 7200, queries: 1 };
  await db
    .insertInto("usage")
    .values({ ...counts, span: 3600, domain: "", type: "" })
    .execute();
  await db
    .insertInto("usage_mix")
    .values({ ...counts, span: 3600, type: "A", rcode: "NOERROR", transport: "udp" })
    .execute();
  await db
    .insertInto("usage_missing")
    .values({ ...counts, domain: "typo.example.com" })
    .execute();
  await fillFeeds(db, account_id, zone.id);
  const gone = newId();
  const fields = { zone: "gone.example", secondary_key: secrets.seal(keyString, `zone.secondary_key:${gone}`) };
  await db
    .insertInto("deleted_zone")
    .values({
      ...{ account_id, id: gone, zone: "gone.example", serial: 1, fields: JSON.stringify(fields), records: 0 },
      ...{ deleted_at: now(), kept_until: now(), user_id: "u", user_name: awkward, user_type: "user" },
    })
    .execute();
  const saved = { account_id, zone_id: zone.id, serial: 1, name: awkward, created_at: now() };
  await db.insertInto("saved_version").values(saved).execute();
  await db
    .insertInto("change_load")
    .values({ id: newId(), checksum: "c", body: awkward.repeat(50_000), created: now() })
    .execute();
  await db
    .insertInto("change_part")
    .values({ load_id: newId(), part: 0, body: Buffer.from(awkward) })
    .execute();
  await db.insertInto("zone_load").values({ account_id, id: newId(), zone_id: newId(), holder: "h" }).execute();
  await db
    .insertInto("import_job")
    .values({ account_id, id: newId(), zone: "e.com", sent: now(), percent: 0, status: awkward, holder: "h" })
    .execute();
  const sequencer = new Sequencer(store, { log: silent, clock: systemClock });
  for (let n = 0; n < 20; n++) await putRecord(store, zone, { label: `h${n}`, address: `192.0.2.${n}` });
  await numbered(store);
  await sequencer.close();
  // a change without a revision yet
  await putRecord(store, zone, { label: "last", address: "192.0.2.99" });
  return { account_id, key_id };
}

async function fillFeeds(db: Store["db"], account_id: string, zone_id: string) {
  const common = { account_id, created_at: now() };
  const source = { id: "s", name: awkward, sourcetype: "nsone_v1", config: "{}", status: "ok", version: 1 };
  await db
    .insertInto("source")
    .values({ ...common, ...source })
    .execute();
  const feed = { source_id: "s", name: awkward, label: awkward, config: `{"b": 1,  "a": 2}` };
  await db
    .insertInto("feed")
    .values([
      { ...common, ...feed, id: "f", data: "{}", pushed_at: null, max_age: null, fallback: null },
      { ...common, ...feed, id: "g", data: '{"up":true}', pushed_at: 1, max_age: 60, fallback: '{"up":false}' },
    ])
    .execute();
  await db
    .insertInto("destination")
    .values({
      ...{ account_id, zone_id, record_id: "r", desttype: "region", destid: awkward, feed_id: "f" },
      ...{ domain: awkward, type: "A" },
    })
    .execute();
}

async function numbered(store: Store) {
  const open = store.db.selectFrom("change").select("id").where("revision", "is", null);
  while ((await open.execute()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Every row of every exported table, as text, without secrets. */
export async function contentOf({ db }: Store): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const table of exportedTables) {
    const rows = await db.selectFrom(table).selectAll().execute();
    content[table] = rows
      .map((row) => JSON.stringify(row).replace(/v1\.[0-9a-f]{8}\.[\w-]+\.[\w-]+/g, "sealed"))
      .toSorted();
  }
  return content;
}
