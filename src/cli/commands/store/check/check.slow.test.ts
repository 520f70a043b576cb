/** `fairlead store check`: finds nothing in a store that only the service wrote, and names what was changed by hand. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RawBuilder, sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { output, run } from "../../../../../test/machine/processes.ts";
import { startApi } from "../../../../../test/service/api.ts";
import type { Client } from "../../../../../test/service/client.ts";
import { edgeBeside } from "../../../../../test/service/edge.ts";
import { node, service, tree } from "../../../../../test/service/kit.ts";
import { secondaryZones } from "../../../../../test/service/secondary-zones.ts";
import type { Finding } from "../../../terminal/finding.ts";

interface Checked {
  readonly code: number;
  readonly zones: number;
  readonly records: number;
  readonly edges: number;
  /** As "check: text". */
  readonly found: readonly string[];
}

const fairlead = join(tree, "bin/fairlead.js");

async function check(...flags: readonly string[]): Promise<Checked> {
  const { code, out, err } = await run(node, [fairlead, "store", "check", "--json", ...flags]);
  expect(err).toBe("");
  const { ok, findings, ...counts } = JSON.parse(out) as { ok: boolean; findings: Finding[] } & Omit<Checked, "found">;
  expect(ok).toBe(code === 0);
  return { ...counts, code, found: findings.map(({ check, text }) => `${check}: ${text}`) };
}

/** Zones of every kind, some of them changed several times. Returns their number. */
async function fill(client: Pick<Client, "must">): Promise<number> {
  const must = (method: string, path: string, body?: unknown) => client.must(method, path, body);
  const zone = (name: string, fields: object = {}) => must("PUT", `zones/${name}`, { zone: name, ...fields });
  const path = (name: string, type: string) => `zones/${name.split(".").slice(-2).join(".")}/${name}/${type}`;
  await zone("first.example");
  const source = await must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
  const { id: feed } = await must("PUT", `data/feeds/${source["id"]}`, { name: "f", config: { label: "l" } });
  await must("PUT", path("steered.first.example", "A"), {
    answers: [
      { answer: ["192.0.2.1"], meta: { up: { feed }, weight: 1.5 } },
      { answer: ["192.0.2.2"], meta: { up: true, country: ["DE"] }, region: "r" },
    ],
    filters: [{ filter: "up", config: {} }],
    regions: { r: { meta: { georegion: ["EUROPE"] } } },
  });
  await must("POST", `feed/${source["id"]}`, { l: { up: false } });
  for (const name of ["www", "changed", "gone"]) {
    await must("PUT", path(`${name}.first.example`, "A"), { answers: [{ answer: ["192.0.2.3"] }] });
  }
  await must("POST", path("changed.first.example", "A"), { answers: [{ answer: ["192.0.2.4"] }], ttl: 60 });
  await must("DELETE", path("gone.first.example", "A"));
  await must("PUT", path("link.first.example", "A"), { link: "www.first.example" });
  await must("POST", "zones/first.example", { nx_ttl: 77, tags: { a: "b" } });
  await zone("linked.example", { link: "first.example" });
  await zone("lost.example", { link: "none.example" });
  await zone("secondary.example", { secondary: { enabled: true, primary_ip: "192.0.2.1" } });
  await zone("primary.example", { primary: { enabled: true, secondaries: [{ ip: "192.0.2.1", notify: false }] } });
  await zone("broken.example");
  await must("PUT", path("a.broken.example", "A"), { answers: [{ answer: ["192.0.2.3"] }] });
  await zone("disabled.example");
  await must("POST", "zones/disabled.example", { disabled: true });
  await zone("deleted.example");
  await must("PUT", path("a.deleted.example", "A"), { answers: [{ answer: ["192.0.2.3"] }] });
  await must("DELETE", "zones/deleted.example");
  await zone("again.example");
  await must("PUT", path("a.again.example", "A"), { answers: [{ answer: ["192.0.2.3"] }] });
  await must("POST", path("a.again.example", "A"), { answers: [{ answer: ["192.0.2.4"] }] });
  // on a busy machine, a change may get its number after the reply
  const versions = await vi.waitFor(async () => {
    const found = await client.must<{ id: number }[]>("GET", "zones/again.example/versions");
    expect(found).toHaveLength(3);
    return found;
  });
  await must("POST", `zones/again.example/versions/${versions[1]!.id}/activate`);
  await must("DELETE", "zones/again.example");
  await must("POST", "deletedzones/again.example/undelete");
  await must("PUT", "tsig/key.example", { algorithm: "hmac-sha256", secret: "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0" });
  return 8;
}

test("an embedded store is whole, while its service runs and when it is stopped", async () => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-check-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const running = await service({ data });
  const zones = await fill(running);
  const whole = { code: 0, zones, found: [] };
  const first = await check("--data", data);
  expect(first).toMatchObject({ ...whole, edges: 1 });
  expect(first.records).toBeGreaterThan(8);
  await running.zone("later.example");
  await running.stop();
  expect(await check("--data", data)).toMatchObject({ ...whole, zones: zones + 1, edges: 0 });
  expect(await output(node, [fairlead, "store", "check", "--data", data])).toMatch(
    /^zones: 9, records: \d+, not compared with edges: the service does not run\n$/,
  );
});

describe("a store into which somebody wrote by hand", async () => {
  const api = await startApi({ digestEvery: 3_600_000 });
  await edgeBeside(api);
  const zones = 1 + (await fill(api));
  const file =
    "@ 60 SOA ns.example. admin.example. 1 2 3 4 5\n@ 60 NS ns.example.\na 60 A 192.0.2.1\nb 60 A 192.0.2.2\n";
  await api.must("PUT", "import/zonefile/imported.example", file);
  await api.must("POST", "zones/imported.example/a.imported.example/A", { ttl: 99 });
  const { transferredZone } = secondaryZones(api);
  await transferredZone(() => ({}));
  const { db } = api.store;
  const flags = ["--database-url", api.storeUrl, "--data", api.directory];
  const settled = async () => {
    const waiting = db.selectFrom("change").select("id").where("revision", "is", null);
    await expect.poll(async () => (await waiting.execute()).length).toBe(0);
  };

  /** Also waits until the edge has read everything again, if it differed. */
  const whole = async () => {
    await settled();
    const found = async () => (await check(...flags)).found;
    await expect.poll(found, { timeout: 60_000, interval: 500 }).toEqual([]);
  };

  test("is whole before", async () => {
    await settled();
    expect(await check(...flags)).toMatchObject({ code: 0, zones: zones + 1, edges: 1, found: [] });
  });

  test("is whole while everybody writes", async () => {
    const end = performance.now() + 3000;
    const writers = Array.from({ length: 4 }, async (_, n) => {
      for (let i = 0; performance.now() < end; i++) {
        const name = `w${n}-${i % 5}.primary.example`;
        const fields = { answers: [{ answer: [`192.0.2.${i % 250}`] }] };
        const made = await api.call("PUT", `zones/primary.example/${name}/A`, fields);
        if (made.status !== 200) await api.call(i % 3 ? "POST" : "DELETE", `zones/primary.example/${name}/A`, fields);
      }
    });
    while (performance.now() < end) expect((await check(...flags)).found).toEqual([]);
    await Promise.all(writers);
  });

  /** Each is done by hand, found, and mended. */
  const cases: readonly {
    readonly name: string;
    readonly by: RawBuilder<unknown>;
    readonly mend: () => Promise<unknown>;
    readonly found: readonly unknown[];
  }[] = [
    {
      name: "a record",
      by: sql`update record set ttl = ttl + 1 where domain = 'changed.first.example'`,
      mend: () => api.must("POST", "zones/first.example/changed.first.example/A", { ttl: 100 }),
      found: [
        expect.stringMatching(/^edges: the edge \w+ answers zones otherwise than the store has them: first.example$/),
        expect.stringMatching(
          /^history: the zone first.example: the record changed.first.example A is not as version \d+ left it$/,
        ),
      ],
    },
    {
      name: "a record that no edge can answer",
      by: sql`update record set answers = '[{"id":"a","answer":["no address"]}]' where domain = 'a.broken.example'`,
      mend: () => api.must("POST", "zones/broken.example/a.broken.example/A", { answers: [{ answer: ["192.0.2.9"] }] }),
      found: [
        expect.stringMatching(/^records: the zone broken.example: no edge can answer the record a.broken.example A: ./),
        expect.stringMatching(/^edges: .*: broken.example$/),
        expect.stringMatching(/^history: the zone broken.example: the record a.broken.example A is not as/),
      ],
    },
    {
      name: "a record that is gone",
      by: sql`delete from record where domain = 'a.broken.example'`,
      mend: () => api.must("PUT", "zones/broken.example/a.broken.example/A", { answers: [{ answer: ["192.0.2.9"] }] }),
      found: [
        expect.stringMatching(/^edges: .*: broken.example$/),
        expect.stringMatching(/^history: .* the record a.broken.example A is not there, but was when version/),
      ],
    },
    {
      name: "the serial of a zone",
      by: sql`update zone set serial = serial - 1 where zone = 'primary.example'`,
      mend: () => api.must("POST", "zones/primary.example", { nx_ttl: 88 }),
      found: [
        expect.stringMatching(/^edges: .*: primary.example$/),
        expect.stringMatching(
          /^serials: the zone primary.example has the serial \d+, but its last change, revision \d+, gave it \d+$/,
        ),
      ],
    },
    {
      name: "a mark",
      by: sql`update change set mark = mark || 'x' where revision = 3`,
      mend: () => sql`update change set mark = left(mark, -1) where revision = 3`.execute(db),
      found: ["stream: the change stream: revision 4 names another mark than that of revision 3 before it"],
    },
    {
      name: "a counter",
      by: sql`update account_cells set cells = cells + 5`,
      mend: () => sql`update account_cells set cells = cells - 5`.execute(db),
      found: [
        expect.stringMatching(
          /^counters: the account \w+ is counted with 6 cells of live values, but its feeds have 1$/,
        ),
      ],
    },
    {
      name: "a damaged secret",
      by: sql`update tsig_key set secret = reverse(secret)`,
      mend: () => sql`update tsig_key set secret = reverse(secret)`.execute(db),
      found: [expect.stringMatching(/^secrets: tsig_key key.example of the account \w+: a stored secret is not an/)],
    },
    {
      name: "the secret of another row",
      by: sql`update tsig_key set name = 'other.example'`,
      mend: () => sql`update tsig_key set name = 'key.example'`.execute(db),
      found: [expect.stringMatching(/^secrets: tsig_key other.example .*: a stored secret was altered, or belongs/)],
    },
  ];
  for (const { name, by, mend, found } of cases) {
    test(name, { timeout: 60_000 }, async () => {
      await whole();
      await by.execute(db);
      const checked = await check(...flags);
      await mend();
      expect(checked.found).toEqual(found);
      expect(checked.code).toBe(1);
    });
  }

  test("the doctor names zones that an edge answers otherwise", async () => {
    await whole();
    await sql`update zone set nx_ttl = nx_ttl + 1 where zone = 'lost.example'`.execute(db);
    expect((await check(...flags)).code).toBe(1);
    const { code, out } = await run(node, [fairlead, "doctor", "--json", ...flags]);
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    expect(code).toBe(1);
    expect(findings.filter(({ check }) => check === "edges")).toMatchObject([
      { state: "failed", text: expect.stringMatching(/otherwise than the store has them: lost.example$/) },
    ]);
    await whole();
  });

  test("an edge that is away is a warning, and no difference", async () => {
    await sql`insert into follower (id, revision, seen_at) values ('away', 0, extract(epoch from now())::bigint)`.execute(
      db,
    );
    const remove = sql`delete from follower where id = 'away'`;
    const { code, found, edges } = await check(...flags).finally(() => remove.execute(db));
    expect([code, found, edges]).toEqual([
      0,
      ["edges: the edge away did not say within 10 s that it compares its zones"],
      1,
    ]);
  });

  test("a change that is gone", async () => {
    await whole();
    await sql`delete from change where revision = 3`.execute(db);
    expect(await check(...flags)).toMatchObject({
      code: 1,
      found: ["stream: the change stream: revision 3 is missing"],
    });
  });
});

test("a store that an earlier version exported is whole", async () => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-check-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const formats = join(tree, "test/formats/3");
  const passphrase = ["--passphrase-file", join(formats, "passphrase")];
  await output(node, [fairlead, "store", "import", join(formats, "export"), "--data", data, ...passphrase]);
  const { code, found } = await check("--data", data);
  expect([code, found]).toEqual([0, []]);
});
