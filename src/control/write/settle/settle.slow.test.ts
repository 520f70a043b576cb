/** Writes of zones wait for the serial and for the edges, but not for long. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { ask } from "../../../../test/engine/states.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { edgeBeside } from "../../../../test/service/edge.ts";
import { settle } from "./settle.ts";

const api = await startApi();
const { db } = api.store;
const answers = [{ answer: ["192.0.2.1"] }];
const outstanding = /1 of \d edges does not answer the change yet$/;

/** Prevents the numbering of changes meanwhile. */
async function unnumbered(meanwhile: () => Promise<void>): Promise<void> {
  await api.store.transaction(async (tx) => {
    await sql`select from sequencer for update`.execute(tx);
    await meanwhile();
  });
}

const importOf = async (zone: string) => {
  const body = "$TTL 600\n@ SOA ns.example. admin.example. 1 2h 1h 2w 5m\nwww A 192.0.2.1\n";
  const headers = { "X-SERVICE-Key": api.key };
  const reply = await fetch(`${api.url}/v1/import/zonefile/${zone}`, { method: "PUT", headers, body });
  return (await reply.json()) as Fields;
};

test("without edges nothing is waited for", async () => {
  await unnumbered(async () => {
    const made = await api.must<Fields>("PUT", "zones/alone.example", {});
    expect(made["warnings"]).toBeUndefined();
    expect((await importOf("alone-imported.example"))["warnings"]).toEqual([]);
  });
});

test("with an edge, the reply has the serial that DNS answers and that stays, unless it warns", async () => {
  const server = { ...(await edgeBeside(api)), timeout: 3000 };
  const serialOf = async (zone: string) => (await ask(server, `${zone} SOA`)).split(" ")[1];
  let quiet = 0;
  const check = async (zone: string, { serial, warnings = [] }: Fields) => {
    if ((warnings as unknown[]).length > 0) return;
    quiet++;
    expect(await serialOf(zone)).toBe(String(serial));
    expect((await api.must<Fields>("GET", `zones/${zone}`))["serial"]).toBe(serial);
  };
  for (let n = 0; n < 5; n++) {
    const zone = `answered${n}.example`;
    await check(zone, await api.must<Fields>("PUT", `zones/${zone}`, {}));
    await check(zone, await api.must<Fields>("POST", `zones/${zone}`, { nx_ttl: 60 + n }));
  }
  await check("imported.example", await importOf("imported.example"));
  expect(quiet).toBeGreaterThan(0);
  // with more time there is no warning
  const made = await api.call<Fields>("PUT", "zones/awaited.example", {});
  const { account_id } = await db.selectFrom("zone").select("account_id").limit(1).executeTakeFirstOrThrow();
  const { serials, outstanding } = await settle(db, account_id, made.headers.get("x-fairlead-change")!, 60_000);
  expect([Object.keys(serials), outstanding]).toEqual([[made.body["id"]], undefined]);
});

test("an edge that does not follow is named in a warning, and record writes do not wait for it", async () => {
  await db.deleteFrom("follower").execute();
  const { revision } = await db
    .selectFrom("sequencer")
    .selectAll()
    .where("subject", "=", "configuration")
    .executeTakeFirstOrThrow();
  await db.insertInto("follower").values({ id: "silent", revision, seen_at: 0 }).execute();
  const made = await api.call<Fields>("PUT", "zones/late.example", {});
  expect(made.body["warnings"]).toEqual([expect.stringMatching(outstanding)]);
  expect(made.headers.get("warning")).toContain("serial: 1 of ");
  const record = await api.call<Fields>("PUT", "zones/late.example/www.late.example/A", { answers });
  expect([record.status, record.body["warnings"]]).toEqual([200, undefined]);
  const unchanged = await api.must<Fields>("POST", "zones/late.example", {});
  expect(unchanged["warnings"]).toBeUndefined();
});

test("nobody waits for an edge that has not followed for a minute", async () => {
  await db
    .updateTable("change")
    .set((eb) => ({ created: eb("created", "-", 100) }))
    .execute();
  const made = await api.call<Fields>("PUT", "zones/later.example", {});
  const id = made.headers.get("x-fairlead-change")!;
  const { account_id } = await db.selectFrom("zone").select("account_id").limit(1).executeTakeFirstOrThrow();
  expect((await settle(db, account_id, id, 3_600_000)).outstanding).toMatch(outstanding);
});
