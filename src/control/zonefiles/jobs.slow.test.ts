/** Two accounts start ten imports each at once, while a third account works. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { type Client, startApi } from "../../../test/service/api.ts";
import type { ImportJob } from "./schema.ts";

const patient = { timeout: 60_000, interval: 500 };

const fileOf = (records: number) =>
  Buffer.from(
    "$TTL 600\n@ SOA ns.example. admin.example. 1 2h 1h 2w 5m\n" +
      Array.from({ length: records }, (_, n) => `host${n} A 192.0.2.${n % 250}\n`).join(""),
  );

test("all imports run; a third account's import waits for no import of another account, and neither do its other requests", async () => {
  const api = await startApi();
  const [other, second] = [await api.stranger(), await api.stranger()];
  const send = async (client: Client, zone: string, records: number) => {
    const url = `${api.url}/v1/import/zonefile/${zone}?async=true`;
    const headers = { "X-SERVICE-Key": client.key };
    const reply = await fetch(url, { method: "PUT", headers, body: fileOf(records) });
    return { status: reply.status, body: (await reply.json()) as ImportJob & { message?: string } };
  };
  const job = (client: Client, id: string) => client.must<ImportJob>("GET", `import/zonefile/${id}`);
  const jobs = () => Promise.all(sent.map(({ body }) => job(api, body.id)));
  const { promise: letGo, resolve: go } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  // no import can write its records
  const holding = api.store.transaction(
    async (tx) => {
      await sql`lock table change_part in exclusive mode`.execute(tx);
      hold();
      await letGo;
    },
    { within: 60_000 },
  );
  await isHeld;
  const zones = Array.from({ length: 10 }, (_, n) => `zone${n}.example`);
  const sent = await Promise.all(zones.map((zone) => send(api, zone, 300)));
  const beside = await Promise.all(zones.map((_, n) => send(second, `beside${n}.example`, 1)));
  const small = await send(other, "small.example.org", 1);
  const refused = await send(api, "one-too-many.example", 1);
  expect([...sent, ...beside, small].map(({ status }) => status)).toEqual(Array(21).fill(200));
  expect([refused.status, refused.body.message]).toEqual([503, "too many imports are waiting"]);
  for (const one of [...(await jobs()).slice(1), await job(other, small.body.id)]) {
    expect(one).toMatchObject({ status: "waiting", percent: 0, result: null });
  }
  await other.must("PUT", "zones/others.example.org", { zone: "others.example.org" });
  expect((await other.call("GET", "zones/others.example.org")).status).toBe(200);
  go();
  await holding;
  await expect.poll(async () => (await job(other, small.body.id)).result, patient).toBe("success");
  await expect
    .poll(async () => (await jobs()).map(({ result }) => result), patient)
    .toEqual(zones.map(() => "success"));
  const besideJobs = () => Promise.all(beside.map(({ body }) => job(second, body.id)));
  await expect
    .poll(async () => (await besideJobs()).map(({ result }) => result), patient)
    .toEqual(zones.map(() => "success"));
  const changes = await api.store.db.selectFrom("change").select("account_id").orderBy("seq").execute();
  const [created, ...imported] = changes.map(({ account_id }) => account_id);
  expect(imported.slice(0, 3)).toContain(created);
  expect([imported.length, new Set(imported).size]).toEqual([21, 3]);
});
