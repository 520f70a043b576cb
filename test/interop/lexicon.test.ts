/** Records of each type, managed with lexicon. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lexicon, startLexicon } from "./lexicon.ts";

const zone = "example.com";
const records = [
  { type: "A", name: "www", first: "192.0.2.1", second: "192.0.2.2" },
  { type: "AAAA", name: "www", first: "2001:db8::1", second: "2001:db8::2" },
  { type: "CNAME", name: "alias", first: "www.example.com.", second: "mail.example.net." },
  { type: "MX", name: "mail", first: "10 mx1.example.com.", second: "20 mx2.example.net." },
  { type: "NS", name: "sub", first: "ns1.example.net.", second: "ns2.example.net." },
  { type: "SRV", name: "_sip._tcp", first: "1 2 5060 sip.example.com.", second: "3 4 5061 sip.example.net." },
  { type: "TXT", name: "_acme-challenge", first: "first token", second: "second-token" },
] as const;

let client: Lexicon;

beforeAll(async () => {
  client = await startLexicon();
  await client.service.zone(zone);
});

afterAll(() => client?.[Symbol.asyncDispose]());

const lexicon = (action: string, type: string, ...options: readonly string[]) =>
  client.must(client.service.key, action, zone, type, ...options);

const seen = (type: string, name: string) => client.seen(`${name}.${zone}`, type);

const several = records.filter(({ type }) => type !== "CNAME");

describe.each(records)("lexicon manages $type records", ({ type, name, first, second }) => {
  const domain = `${name}.${zone}`;
  const list = () => lexicon("list", type, "--name", name);

  test("creates one", async () => {
    await lexicon("create", type, "--name", name, "--content", first, "--ttl", "300");
    await expect.poll(() => seen(type, name)).toEqual([first]);
  });

  test("lists it", async () => {
    expect(await list()).toEqual([{ id: `${zone}/${domain}/${type}`, type, name: domain, content: first, ttl: 300 }]);
  });

  test("changes it", async () => {
    const id = `${zone}/${domain}/${type}`;
    await lexicon("update", type, "--identifier", id, "--name", name, "--content", second);
    await expect.poll(() => seen(type, name)).toEqual([second]);
  });

  test("deletes it", async () => {
    await lexicon("delete", type, "--name", name);
    await expect.poll(() => seen(type, name)).toEqual([]);
    expect(await list()).toEqual([]);
  });
});

test.each(several)(
  "lexicon adds an answer to a $type record, and deletes one of two",
  async ({ type, name, first, second }) => {
    await lexicon("create", type, "--name", name, "--content", second);
    await lexicon("create", type, "--name", name, "--content", first);
    await expect.poll(() => seen(type, name)).toEqual([first, second].sort());
    await lexicon("delete", type, "--name", name, "--content", second);
    await expect.poll(() => seen(type, name)).toEqual([first]);
  },
);

test("lexicon reached this service by its own fixed host name", () => {
  expect(client.proxy.seen.length).toBeGreaterThan(50);
  expect(client.proxy.seen).toContain(`PUT /v1/zones/${zone}/www.${zone}/A`);
});
