/** Imports by transfer: a zone is copied from another server once. */
import { describe, expect, test } from "vitest";
import {
  answerTo,
  messagesOf,
  record,
  type Script,
  scriptedPrimary,
  soa,
  stream,
} from "../../../../test/network/scripted-primary.ts";
import { signedWith } from "../../../../test/network/signed-answers.ts";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import type { ResourceRecord } from "../../../dns/reply.ts";
import type { TsigKey } from "../../../dns/tsig/tsig.ts";
import { scanName } from "../../../dns/wire/name.ts";

const limits = { message: 2500, transfer: 10_000, records: 5000, octets: 1_000_000 };
const own = [{ address: "0.0.0.0", port: 5399 }];
const api = await startApi({ pullLimits: limits, own });
let zones = 0;
const fresh = () => `moved${++zones}.example`;

interface Job extends Fields {
  readonly id: string;
  readonly status: string;
  readonly result: string | null;
  readonly response_code?: number;
  readonly response?: Fields;
}

const at = (port: number, rest: Fields = {}) => ({
  secondary: { primary_ip: "127.0.0.1", primary_port: port, ...rest },
});

/** Waits for the outcome of a job. */
async function ended(job: Job, client: Client = api): Promise<Job> {
  const read = () => client.must<Job>("GET", `import/transfer/${job.id}`);
  await expect.poll(async () => (await read()).result).not.toBeNull();
  return await read();
}

const importFrom = async (zone: string, body: Fields, query = "") =>
  await ended(await api.must<Job>("PUT", `import/transfer/${zone}${query}`, body));

const fqdn = (zone: string) => `${zone}.`;
const around = (zone: string, records: readonly ResourceRecord[]) => [
  soa(fqdn(zone), 10),
  ...records,
  soa(fqdn(zone), 10),
];
const zoneWith = (zone: string, ...lines: readonly string[]) => around(zone, lines.map(record));

/** A server with these records between the SOA records. */
const serving = (zone: string, lines: readonly string[], script: Partial<Script> = {}) =>
  scriptedPrimary({
    soa: soa(fqdn(zone), 10),
    transfer: (query) => [...messagesOf(query, zoneWith(zone, ...lines), 2)],
    ...script,
  });

test("the zone is a primary zone with the records, the settings of the SOA record, and name servers of its own", async () => {
  const zone = fresh();
  const z = fqdn(zone);
  const lines = [
    `${z} 300 NS ns1.elsewhere.example.`,
    `${z} 60 MX 10 mail.${z}`,
    `www.${z} 60 A 192.0.2.1`,
    `www.${z} 60 A 192.0.2.2`,
  ];
  const { port } = await serving(zone, lines);
  const job = await importFrom(zone, at(port));
  expect(job).toMatchObject({ type: "importtransfer", percent: 100, result: "success", response_code: 200 });
  expect(job.response).toMatchObject({ zone, secondary: null, refresh: 3600, retry: 600, ttl: 300 });
  expect(job.response?.["warnings"]).toEqual([
    "line 2: NS records at the apex are replaced by those of the zone's networks",
  ]);
  const made = await api.must<{ records: Fields[]; dns_servers: string[] }>("GET", `zones/${zone}`);
  expect(made.records.map(({ domain, type, short_answers }) => [domain, type, short_answers])).toEqual([
    [zone, "MX", [`10 mail.${zone}`]],
    [zone, "NS", made.dns_servers],
    [`www.${zone}`, "A", ["192.0.2.1", "192.0.2.2"]],
  ]);
  await api.must("POST", `zones/${zone}/www.${zone}/A`, { ttl: 5 });
  const [, entry] = await api.must<Fields[]>("GET", `account/activity?limit=2`);
  expect(entry).toMatchObject({ resource_type: "dns_zone", action: "import", resource: { zone } });
});

describe("with a TSIG key", () => {
  const secret = Buffer.from("known to both");
  const key: TsigKey = { name: scanName("moves.key."), algorithm: "hmac-sha256", secret };
  const tsig = { name: "moves.key", hash: "hmac-sha256", key: secret.toString("base64") };

  test("questions are signed, answers are checked, and the secret is kept nowhere", async () => {
    const zone = fresh();
    const answers = (query: Uint8Array) => messagesOf(query, zoneWith(zone, `www.${fqdn(zone)} 60 A 192.0.2.1`), 2);
    const signed = (query: Uint8Array, messages: Iterable<Uint8Array>) => {
      const all = [...messages];
      return signedWith(
        query,
        all,
        all.map(() => key),
      );
    };
    const { port } = await serving(zone, [], {
      udp: (query) => signed(query, [answerTo(query, [soa(fqdn(zone), 10)])])[0]!,
      transfer: (query) => signed(query, answers(query)),
    });
    expect(await importFrom(zone, at(port, { tsig }))).toMatchObject({ result: "success" });
    const kept = await Promise.all([
      api.store.db.selectFrom("activity").selectAll().execute(),
      api.store.db.selectFrom("import_job").selectAll().execute(),
      api.store.db.selectFrom("zone").selectAll().execute(),
    ]);
    expect(JSON.stringify(kept)).not.toContain(tsig.key);
    expect(await api.must("GET", `zones/${zone}`)).toMatchObject({ secondary: null });
  });

  test("answers without a signature are refused", async () => {
    const zone = fresh();
    const { port } = await serving(zone, [`www.${fqdn(zone)} 60 A 192.0.2.1`]);
    expect(await importFrom(zone, at(port, { tsig }))).toMatchObject({
      result: "error",
      status: expect.stringMatching(/is not signed/),
    });
  });
});

test("a record that cannot be written refuses the zone, or is left out with `partial`", async () => {
  const zone = fresh();
  const z = fqdn(zone);
  const lines = [`www.${z} 60 CNAME elsewhere.example.`, `www.${z} 60 A 192.0.2.1`, `ok.${z} 60 A 192.0.2.1`];
  const { port } = await serving(zone, lines);
  const refused = await importFrom(zone, at(port));
  expect(refused).toMatchObject({ result: "error", response_code: 400 });
  expect(refused.status).toMatch(/^error: zone file line 3: /);
  expect((await api.call("GET", `zones/${zone}`)).status).toBe(404);
  const partial = await importFrom(zone, at(port), "?partial=true");
  expect(partial.response?.["warnings"]).toEqual([expect.stringMatching(/^line 3: .*: left out$/)]);
  expect((await api.call("GET", `zones/${zone}/ok.${zone}/A`)).status).toBe(200);
});

test("the next server is asked when one fails, and the job has the reason of each", async () => {
  const zone = fresh();
  const good = await serving(zone, [`www.${fqdn(zone)} 60 A 192.0.2.1`]);
  const bad = await serving(zone, [], { udp: (query) => answerTo(query, [], { rcode: 5 }) });
  const servers = { other_ips: ["127.0.0.1"], other_ports: [good.port] };
  expect(await importFrom(zone, at(bad.port, servers))).toMatchObject({ result: "success" });
  const again = await importFrom(fresh(), at(bad.port));
  expect(again.status).toBe(`error: 127.0.0.1 port ${bad.port}: answered the SOA query with REFUSED`);
});

describe.concurrent("nothing is imported from", () => {
  const cases: readonly [string, RegExp, (zone: string) => Partial<Script>][] = [
    [
      "a transfer that ends early",
      /closed the connection before its answer was complete/,
      (zone) => ({ transfer: (query) => [answerTo(query, [soa(fqdn(zone), 10)])] }),
    ],
    ["a refusal", /answered with REFUSED/, () => ({ transfer: (query) => [answerTo(query, [], { rcode: 5 })] })],
    [
      "a silent server",
      /did not send a message in time/,
      (zone) => ({ transfer: (query, socket) => stream(socket, silence(answerTo(query, [soa(fqdn(zone), 10)]))) }),
    ],
    [
      "too many records",
      /has more than 5000 records/,
      (zone) => ({
        transfer: (query) => [...messagesOf(query, zoneWith(zone, ...many(zone, 6000)))],
      }),
    ],
  ];
  test.for(cases)("%s", async ([_, reason, script], { expect }) => {
    const zone = fresh();
    const { port } = await serving(zone, [], script(zone));
    const job = await api.must<Job>("PUT", `import/transfer/${zone}`, at(port));
    const read = () => api.must<Job>("GET", `import/transfer/${job.id}`);
    for (let n = 0; n < 150 && (await read()).result === null; n++) await new Promise((next) => setTimeout(next, 100));
    expect(await read()).toMatchObject({ result: "error", response_code: 400, status: expect.stringMatching(reason) });
    expect((await api.call("GET", `zones/${zone}`)).status).toBe(404);
  });
});

async function* silence(first: Uint8Array) {
  yield first;
  await new Promise((done) => setTimeout(done, 5000));
}

const many = (zone: string, count: number) =>
  Array.from({ length: count }, (_, n) => `n${n}.${fqdn(zone)} 60 A 192.0.2.1`);

describe("a request is refused", () => {
  test("for a zone that exists, a bad server, and one that the account must not reach", async () => {
    const zone = fresh();
    await api.must("PUT", `zones/${zone}`, {});
    const put = async (name: string, body: Fields, client: Client = api) => {
      const { status, body: reply } = await client.call("PUT", `import/transfer/${name}`, body);
      return [status, reply["message"]];
    };
    expect(await put(zone, at(53))).toEqual([400, "zone already exists"]);
    expect(await put(fresh(), {})).toEqual([400, expect.stringContaining("secondary")]);
    expect(await put(fresh(), { secondary: { primary_ip: "ns.example" } })).toEqual([
      400,
      'secondary.primary_ip: "ns.example" is not an IP address',
    ]);
    expect(await put(fresh(), at(5399))).toEqual([400, expect.stringContaining("is this service itself")]);
    const stranger = await api.stranger();
    expect(await put(fresh(), at(53), stranger)).toEqual([400, expect.stringContaining("is not a public address")]);
    const viewer = await api.limited({ dns: { view_zones: true, manage_zones: false } });
    expect((await put(fresh(), at(53), viewer))[0]).toBe(403);
  });

  test("when the account has as many imports as it may, and another account imports meanwhile", async () => {
    const slow = fresh();
    const { port } = await serving(slow, [], { udp: () => new Uint8Array(0), transfer: () => undefined });
    const jobs = [];
    for (let n = 0; n < 10; n++) jobs.push(await api.must<Job>("PUT", `import/transfer/${fresh()}`, at(port)));
    expect((await api.call("PUT", `import/transfer/${fresh()}`, at(port))).status).toBe(503);
    const stranger = await api.stranger();
    const file = "@ 60 SOA ns.example. hm.example. 1 2 3 4 5\nwww 60 A 192.0.2.1\n";
    expect((await stranger.call("PUT", `import/zonefile/${fresh()}`, file)).status).toBe(200);
    for (const job of jobs) expect(await ended(job)).toMatchObject({ result: "error" });
    expect((await api.call("PUT", `import/transfer/${fresh()}`, at(port))).status).toBe(200);
  });
});

test("a job is that of the account and of callers who may see its zone", async () => {
  const zone = fresh();
  const { port } = await serving(zone, [`www.${fqdn(zone)} 60 A 192.0.2.1`]);
  const job = await importFrom(zone, at(port));
  expect(await api.must("GET", `import/zonefile/${job.id}`)).toEqual(job);
  expect((await (await api.stranger()).call("GET", `import/transfer/${job.id}`)).status).toBe(404);
  const narrow = await api.limited({ dns: { view_zones: true, zones_deny: [zone] } });
  expect((await narrow.call("GET", `import/transfer/${job.id}`)).status).toBe(404);
});
