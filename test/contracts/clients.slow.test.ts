/** The requests of third-party clients, in their order and as they are sent, with keys for one zone or one name. */
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../service/api.ts";

const api = await startApi();
const zone = "mine.example";
const www = `www.${zone}`;
const challenge = `_acme-challenge.${www}`;
const [other, missing] = ["other.example", "missing.example"];
for (const name of [zone, other]) await api.must("PUT", `zones/${name}`, { zone: name });
for (const name of [www, `www.${other}`]) {
  const at = name.slice("www.".length);
  await api.must("PUT", `zones/${at}/${name}/A`, {
    zone: at,
    domain: name,
    type: "A",
    answers: [{ answer: ["192.0.2.1"] }],
  });
}

const only = (zones: readonly string[], rest: Fields = {}) => ({
  dns: { view_zones: true, manage_zones: true, zones_allow_by_default: false, zones_allow: zones, ...rest },
});
const { key: whole } = await api.limited(only([zone]));
const rule = { zone, domain: challenge, type: "TXT" };
const { key: acme } = await api.limited(only([zone], { records_allow: [rule] }));

/**
 * Returns a function that sends requests as a client does: with its key and headers, and JSON with or without a
 * Content-Type.
 */
const client =
  (key: string, headers: Record<string, string> = {}) =>
  async (method: string, path: string, body?: unknown) => {
    const reply = await fetch(`${api.url}/v1/${path}`, {
      method,
      headers: { "X-NSONE-Key": key, ...headers },
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    });
    const text = await reply.text();
    return { status: reply.status, reason: reply.statusText, headers: reply.headers, text, body: JSON.parse(text) };
  };

type Send = ReturnType<typeof client>;
type Reply = Awaited<ReturnType<Send>>;

/** The expected outcome: 200, or the message that the client compares. */
const outcome = ({ status, body }: Reply): unknown => (status === 200 ? 200 : `${status} ${body.message}`);

const goAgent = { "User-Agent": "go-ns1/2.7.8" };
/** A record as the Go SDK sends it. */
const goRecord = (domain: string, type: string, ttl: number, ...answers: readonly (readonly string[])[]) => ({
  zone,
  domain,
  type,
  ttl,
  answers: answers.map((answer) => ({ meta: {}, answer })),
  filters: [],
  tags: {},
  blocked_tags: [],
});

describe("an ACME client with a key for its one name", () => {
  test("acme.sh finds the name's zone in the list of the key's zones, and reads replies as text", async () => {
    const send = client(acme, { Accept: "application/json", "Content-Type": "application/x-www-form-urlencoded" });
    const listed = await send("GET", "zones");
    expect(listed.text).toContain(`"zone":"${zone}"`);
    expect(listed.text).not.toContain(other);
    const isListed = new RegExp(`"domain":"${challenge}",[^{]*"type":"TXT"`);
    const before = await send("GET", `zones/${zone}`);
    expect(before.text).toContain('"records":');
    expect(before.text).not.toMatch(isListed);
    const answers = [{ answer: ["a-token"] }];
    const made = await send("PUT", `zones/${zone}/${challenge}/TXT`, {
      answers,
      type: "TXT",
      domain: challenge,
      zone,
      ttl: 0,
    });
    expect(made.text).toContain(challenge);
    const after = await send("GET", `zones/${zone}`);
    expect(after.text).toMatch(isListed);
    expect(after.text).toContain(`"domain":"${challenge}","short_answers":["a-token"]`);
    const changed = await send("POST", `zones/${zone}/${challenge}/TXT`, {
      answers: [{ answer: ["another"] }, { answer: ["a-token"] }],
      type: "TXT",
      domain: challenge,
      zone,
      ttl: 0,
    });
    expect(changed.text).toContain(challenge);
    expect((await send("GET", `zones/${zone}/${challenge}/TXT`)).text).toMatch(
      new RegExp(`"domain":"${challenge}",.*"type":"TXT"`),
    );
    expect(outcome(await send("DELETE", `zones/${zone}/${challenge}/TXT`))).toBe(200);
    // the clean-up of the second value finds no record
    expect((await send("GET", `zones/${zone}/${challenge}/TXT`)).text).not.toMatch(/"type":"TXT".*"domain"/);
    expect(outcome(await send("DELETE", `zones/${zone}/${challenge}/TXT`))).toBe("404 record not found");
  });

  test("lego adds a value to the existing ones, and removes the record", async () => {
    const send = client(acme, goAgent);
    const at = `zones/${zone}/${challenge}/TXT`;
    expect((await send("GET", `zones/${zone}?records=false`)).body.zone).toBe(zone);
    expect(outcome(await send("GET", at))).toBe("404 record not found");
    expect(outcome(await send("PUT", at, goRecord(challenge, "TXT", 120, ["first"])))).toBe(200);
    const { body } = await send("GET", at);
    const answers = [...body.answers, { answer: ["second"] }];
    expect((await send("POST", at, { ...body, answers })).body.answers).toHaveLength(2);
    expect(outcome(await send("DELETE", at))).toBe(200);
  });

  test("certbot tries the host's name and the names above it as zones: the key must list them, since a 403 stops certbot", async () => {
    const headers = { Accept: "application/json", "Content-Type": "application/json" };
    const guess = async (key: string, name: string) => {
      const { status, reason } = await client(key, headers)("GET", `zones/${name}`, undefined);
      return `${status} Client Error: ${reason}`;
    };
    const message = `You do not have the permission view_zones for the zone ${www}`;
    expect(await guess(acme, www)).toBe(`403 Client Error: ${message}`);
    const { zone: _, ...anywhere } = rule;
    const { key } = await api.limited(only([zone, www], { records_allow: [anywhere] }));
    expect(await guess(key, www)).toBe("404 Client Error: Not Found");
    const send = client(key, headers);
    expect((await send("GET", `zones/${zone}`)).body.id).toBeTruthy();
    const at = `zones/${zone}/${challenge}/TXT`;
    const answers = [{ answer: ["a-token"] }];
    expect(outcome(await send("PUT", at, { type: "TXT", domain: challenge, ttl: 60, zone, answers }))).toBe(200);
    expect(outcome(await send("DELETE", at, {}))).toBe(200);
    // listing the host's name among the zones permits no writes
    expect((await send("PUT", `zones/${www}`, { zone: www })).status).toBe(403);
    expect((await send("PUT", `zones/${zone}/${www}/TXT`, { answers })).status).toBe(403);
  });
});

describe("with a key for one zone", () => {
  test("external-dns lists zones, reads each, and writes", async () => {
    const send = client(whole, goAgent);
    const listed = await send("GET", "zones");
    expect(listed.body.map(({ zone }: { zone: string }) => zone)).toEqual([zone]);
    expect(listed.headers.get("link")).toBeNull();
    const { records } = (await send("GET", `zones/${zone}?records=true`)).body;
    const found = records.find(({ domain }: { domain: string }) => domain === www);
    expect(found).toMatchObject({ type: "A", short_answers: ["192.0.2.1"], ttl: 3600 });
    const at = `zones/${zone}/app.${zone}/A`;
    expect(outcome(await send("PUT", at, goRecord(`app.${zone}`, "A", 10, ["192.0.2.7"])))).toBe(200);
    expect(outcome(await send("POST", at, goRecord(`app.${zone}`, "A", 10, ["192.0.2.8"])))).toBe(200);
    expect(outcome(await send("DELETE", at))).toBe(200);
  });

  test("DNSControl checks that the zone exists, compares all records, and corrects them", async () => {
    const send = client(whole, goAgent);
    expect(outcome(await send("PUT", `zones/${zone}`, { zone }))).toBe("400 zone already exists");
    const { dns_servers, records } = (await send("GET", `zones/${zone}`)).body;
    expect(dns_servers).toEqual(["dns1.example.net", "dns2.example.net"]);
    for (const { short_answers } of records) expect(short_answers).toBeInstanceOf(Array);
    const at = `zones/${zone}/${zone}/MX`;
    const made = await send("PUT", at, goRecord(zone, "MX", 300, ["10", "mail.mine.example."], ["20", "b.example."]));
    expect(outcome(made)).toBe(200);
    expect(outcome(await send("PUT", at, goRecord(zone, "MX", 300, ["10", "x.example."])))).toBe(
      "400 record already exists",
    );
    expect(outcome(await send("POST", at, goRecord(zone, "MX", 300, ["10", "mail.mine.example."])))).toBe(200);
    expect(outcome(await send("DELETE", at))).toBe(200);
  });

  test("Terraform creates a zone that the key may access, and records for which the reply equals the request", async () => {
    const fresh = "terraform.example";
    const { key } = await api.limited(only([fresh]));
    const send = client(key, { "User-Agent": "terraform-ns1/2.4.0 go-ns1/2.7.8" });
    expect(outcome(await send("GET", `zones/${fresh}?records=false`))).toBe("404 zone not found");
    const sent = { zone: fresh, ttl: 3600, link: "", primary: { enabled: false, secondaries: [] }, tags: {} };
    const made = await send("PUT", `zones/${fresh}`, sent);
    expect(outcome(made)).toBe(200);
    // autogenerate_ns_record = false
    expect(outcome(await send("DELETE", `zones/${fresh}/${fresh}/NS`))).toBe(200);
    const at = `zones/${fresh}/www.${fresh}/A`;
    const filters = [{ filter: "select_first_n", config: { N: "1" } }];
    const record = { ...goRecord(`www.${fresh}`, "A", 60, ["192.0.2.1"]), zone: fresh, filters };
    expect(outcome(await send("GET", at))).toBe("404 record not found");
    expect((await send("PUT", at, record)).body.filters).toEqual(filters);
    const read = await send("GET", at);
    expect(outcome(await send("POST", at, read.body))).toBe(200);
    expect((await send("GET", at)).text).toBe(read.text);
    for (const path of [at, `zones/${fresh}`]) expect(outcome(await send("DELETE", path))).toBe(200);
  });

  test("octoDNS recognises a missing zone by the exact message, creates it, and reads it back", async () => {
    const fresh = "octodns.example";
    const { key } = await api.limited(only([fresh]));
    const send = client(key, { "User-Agent": "ns1-python 0.27.3 python 0x30b02f0 linux" });
    expect((await send("GET", "zones")).body).toEqual([]);
    expect(outcome(await send("GET", `zones/${fresh}`))).toBe("404 zone not found");
    expect(outcome(await send("PUT", `zones/${fresh}`, { zone: fresh }))).toBe(200);
    const at = `zones/${fresh}/www.${fresh}/AAAA`;
    const place = { zone: fresh, domain: `www.${fresh}`, type: "AAAA" };
    const record = { ...place, ttl: 60, answers: [{ answer: ["2001:db8::1"] }], filters: [] };
    expect(outcome(await send("PUT", at, record))).toBe(200);
    expect(outcome(await send("POST", at, { ...record, ttl: 120 }))).toBe(200);
    const { records } = (await send("GET", `zones/${fresh}`)).body;
    expect(records.at(-1)).toMatchObject({ type: "AAAA", ttl: 120, tier: 1, short_answers: ["2001:db8::1"] });
    expect(outcome(await send("DELETE", at))).toBe(200);
  });
});

/** Requests that name a zone, with their bodies, as clients send them. */
const elsewhere: Readonly<Record<string, (name: string) => readonly [method: string, path: string, body?: Fields]>> = {
  "reading a zone": (name) => ["GET", `zones/${name}`],
  "reading a zone without records": (name) => ["GET", `zones/${name}?records=false`],
  "making a zone": (name) => ["PUT", `zones/${name}`, { zone: name }],
  "changing a zone": (name) => ["POST", `zones/${name}`, { ttl: 60 }],
  "deleting a zone": (name) => ["DELETE", `zones/${name}`],
  "reading a record": (name) => ["GET", `zones/${name}/www.${name}/A`],
  "making a record": (name) => ["PUT", `zones/${name}/www.${name}/A`, { answers: [] }],
  "changing a record": (name) => ["POST", `zones/${name}/www.${name}/A`, { answers: [] }],
  "deleting a record": (name) => ["DELETE", `zones/${name}/www.${name}/A`],
  "counting a zone's queries": (name) => ["GET", `stats/usage/${name}`],
  "listing the versions of a zone": (name) => ["GET", `zones/${name}/versions`],
};

test.each(Object.entries(elsewhere))(
  "%s gets the same reply for a hidden zone and a missing one",
  async (_what, request) => {
    for (const key of [whole, acme]) {
      const replies = await Promise.all([other, missing].map((name) => client(key, goAgent)(...request(name))));
      const [there, not] = replies.map(({ status, text }) => [status, text] as const);
      expect(there).toEqual([
        403,
        expect.stringMatching(/You do not have the permission (view|manage)_zones for the zone/),
      ]);
      expect(there).toEqual([not![0], not![1].replaceAll(missing, other)]);
    }
  },
);
