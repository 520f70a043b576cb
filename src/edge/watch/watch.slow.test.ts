/** An edge that is not as its store is found and mended; an edge that is, whatever happens, is never suspected. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { type Example, examples } from "../../../test/contracts/types-examples.ts";
import { ask } from "../../../test/engine/states.ts";
import { seededRandom } from "../../../test/machine/random.ts";
import { type Api, startApi } from "../../../test/service/api.ts";
import { startEdgeAt } from "../../../test/service/edge.ts";
import type { Edge } from "../edge.ts";

const often = 50;
const patience = { timeout: 60_000, interval: 50 };

/** An edge beside the API, which starts from its snapshots when it is started again. */
async function watched(api: Api) {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-watch-"));
  const lines: { msg: string; zone?: string; reason?: string }[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const start = async () => {
    const edge = await startEdgeAt(api.storeUrl, { log, compareEvery: often, snapshots: { directory, every: 200 } });
    await edge.ready;
    return edge;
  };
  let edge = await start();
  onTestFinished(async () => {
    await edge.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    lines,
    get edge(): Edge {
      return edge;
    },
    async restart() {
      await edge.close();
      edge = await start();
    },
    ask: (question: string) => ask({ ...edge.addresses[0]!, timeout: 3000 }, question),
    /** Waits until every zone has been compared twice. */
    async compared(zones: number) {
      const { compared } = edge.status().watch;
      await expect.poll(() => edge.status().watch.compared, patience).toBeGreaterThan(compared + 2 * zones);
    },
  };
}

const put = (api: Api, zone: string, name: string, type: string, fields: object) =>
  api.must("PUT", `zones/${zone}/${name}/${type}`, { zone, domain: name, type, ...fields });

/** Zones of every kind; returns their number. */
async function fill(api: Api): Promise<number> {
  await api.must("PUT", "zones/types.example", { zone: "types.example" });
  const accepted: Example[] = [];
  for (const each of examples) {
    // clients cannot write some types, and an ALIAS needs a target that is served here
    const domain = `n${accepted.length}.types.example`;
    const body = { zone: "types.example", domain, type: each.type, answers: [{ answer: each.answer }] };
    const reply = await api.call("PUT", `zones/types.example/${domain}/${each.type}`, body);
    if (reply.status === 200) accepted.push(each);
  }
  expect(accepted.length).toBeGreaterThan(50);
  await put(api, "types.example", "alias.types.example", "ALIAS", { answers: [{ answer: ["n0.types.example"] }] });
  await put(api, "types.example", "link.types.example", "A", { link: "n0.types.example" });
  const source = await api.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
  const { id: feed } = await api.must("PUT", `data/feeds/${source["id"]}`, { name: "f", config: { label: "l" } });
  const meta = [{ up: { feed } }, { up: true, country: ["DE"] }];
  await put(api, "types.example", "steered.types.example", "A", {
    answers: meta.map((meta, i) => ({ answer: [`192.0.2.${i}`], meta })),
    filters: [{ filter: "up", config: {} }],
  });
  await api.must("PUT", "zones/link.example", { zone: "link.example", link: "types.example" });
  await api.must("PUT", "zones/lost.example", { zone: "lost.example", link: "none.example" });
  await api.must("PUT", "zones/disabled.example", { zone: "disabled.example" });
  await api.must("POST", "zones/disabled.example", { zone: "disabled.example", disabled: true });
  const secondary = { enabled: true, primary_ip: "192.0.2.1" };
  await api.must("PUT", "zones/secondary.example", { zone: "secondary.example", secondary });
  const lines = accepted.map(({ type, text }, n) => `i${n} 300 ${type} ${text}`);
  const served = lines.filter((line) => !/ (ALIAS|CNAME|URLFWD|DNAME|NS|LINKED) /.test(line));
  const file = ["$ORIGIN import.example.", "@ 300 SOA ns1 host 1 2 3 4 5", "@ 300 NS ns.example.net.", ...served];
  const form = new FormData();
  form.set("zonefile", new Blob([`${file.join("\n")}\n`]), "zone.txt");
  const reply = await fetch(`${api.url}/v1/import/zonefile/import.example`, {
    ...{ method: "PUT", body: form, headers: { "X-NSONE-Key": api.key } },
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.anything()]);
  await expect.poll(async () => (await api.call("GET", "zones/import.example")).status, patience).toBe(200);
  return 6;
}

test("what is changed in the store without a change is found, reported and mended", async () => {
  const api = await startApi({ digestEvery: often });
  const edge = await watched(api);
  const zones = await fill(api);
  await edge.compared(zones);
  expect(edge.edge.status().watch).toMatchObject({ differences: 0, differing: [] });
  expect(edge.lines).toEqual([]);

  const { db } = api.store;
  const found = async (differences: number) => {
    await expect.poll(() => edge.edge.status().watch, patience).toMatchObject({ differences, differing: [] });
    const named = edge.lines.filter(({ msg }) => msg.includes("not answered as the store"));
    expect(named).toHaveLength(differences);
    return named.at(-1)?.zone;
  };
  await sql`delete from record where domain = 'n0.types.example'`.execute(db);
  expect(await found(1)).toBe("types.example");
  await expect.poll(() => edge.ask("n0.types.example A"), patience).toBe("NXDOMAIN");
  expect(await edge.edge.metrics()).toContain("fairlead_edge_differences_total 1\n");
  expect(edge.lines.map(({ reason }) => reason).join()).toContain("not as the store has it: types.example");

  await sql`update zone set nx_ttl = nx_ttl + 1 where zone = 'disabled.example'`.execute(db);
  expect(await found(2)).toBe("disabled.example");

  await sql`delete from zone where zone = 'lost.example'`.execute(db);
  expect(await found(3)).toBe(`${zones} zones instead of ${zones - 1}`);
  expect(edge.edge.status().zones).toBe(zones - 1);
});

test("a zone that still differs after everything was read again does not have it read for ever", {
  timeout: 60_000,
}, async () => {
  const api = await startApi({ digestEvery: 1_000_000 });
  await api.must("PUT", "zones/odd.example", { zone: "odd.example" });
  const edge = await watched(api);
  const wrong = () =>
    sql`
    insert into digest_batch (number, revision, zones, last_account, last_zone, created)
    select nextval('digest_number'), revision, json_build_object((select id from zone), 1), '', '',
      extract(epoch from clock_timestamp())::bigint
    from sequencer where subject = 'configuration'`.execute(api.store.db);
  const isFound = (differences: number) =>
    expect
      .poll(async () => {
        await wrong();
        return edge.edge.status().watch.differences;
      }, patience)
      .toBe(differences);
  await isFound(1);
  await expect.poll(() => edge.edge.status().watch.differing, patience).toEqual([]);
  await isFound(2);
  await expect.poll(() => edge.edge.status().watch.differing, patience).toEqual(["odd.example"]);
  await wrong();
  expect(edge.lines.filter(({ reason }) => reason?.includes("odd.example"))).toHaveLength(1);
});

test("no write, restart or baseline makes an edge look wrong", async () => {
  const random = seededRandom(11);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const api = await startApi({ digestEvery: often });
  const edge = await watched(api);
  await fill(api);
  const names = Array.from({ length: 12 }, (_, n) => `r${n}.example`);
  const write = async () => {
    const zone = pick(names);
    const domain = pick([zone, `a.${zone}`, `b.a.${zone}`, `*.${zone}`]);
    const path = `zones/${zone}/${domain}/A`;
    const fields = pick<object>([
      { answers: [{ answer: [`192.0.2.${Math.floor(random() * 256)}`] }] },
      { link: "n0.types.example" },
    ]);
    const calls = [
      () => api.call("PUT", `zones/${zone}`, { zone, ...pick<object>([{}, {}, { link: pick(names) }]) }),
      () => api.call("DELETE", `zones/${zone}`),
      () =>
        api.call(
          "POST",
          `zones/${zone}`,
          pick([{ disabled: true }, { disabled: false }, { nx_ttl: Math.floor(random() * 1000) }]),
        ),
      () => api.call("DELETE", path),
      ...Array.from({ length: 4 }, () => () => api.call("PUT", path, { zone, domain, type: "A", ...fields })),
      ...Array.from({ length: 4 }, () => () => api.call("POST", path, fields)),
      () => put(api, "types.example", "n0.types.example", "A", fields).catch(() => undefined),
    ];
    await pick(calls)();
  };
  for (let round = 0; round < 12; round++) {
    const stop = performance.now() + 500;
    const writers = Array.from({ length: 4 }, async () => {
      while (performance.now() < stop) await write();
    });
    if (round % 4 === 1) await edge.restart();
    // a reader of the stream that was away for too long takes a baseline
    if (round % 4 === 3) {
      await sql`update follower set revision = 0`.execute(api.store.db);
      await sql`delete from change where revision < (select max(revision) from change)`.execute(api.store.db);
    }
    await Promise.all(writers);
    await edge.compared(5);
    const found = `round ${round}: ${JSON.stringify(edge.lines)}`;
    expect(edge.edge.status().watch, found).toMatchObject({ differences: 0 });
  }
  expect(edge.lines.filter(({ msg }) => msg.includes("as the store"))).toEqual([]);
});
