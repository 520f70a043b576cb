/** Debian's lexicon, unmodified, with its provider whose API host is fixed: a proxy leads that host here. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, service } from "../kit.ts";
import { output } from "../processes.ts";
import { type HostProxy, startProxy } from "./proxy.ts";

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

let running: Service;
let proxy: HostProxy;
let home: string;

beforeAll(async () => {
  running = await service();
  proxy = await startProxy("api.nsone.net", running.url);
  home = mkdtempSync(join(tmpdir(), "fairlead-lexicon-"));
  await running.zone(zone);
});

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await running?.stop();
  rmSync(home, { recursive: true, force: true });
});

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly content: string;
  readonly ttl: number;
}

async function lexicon(action: string, type: string, ...options: readonly string[]): Promise<readonly Listed[]> {
  const args = ["nsone", action, zone, type, "--auth-token", running.key, "--output", "JSON", ...options];
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TLDEXTRACT_CACHE: home,
    HTTPS_PROXY: proxy.url,
    REQUESTS_CA_BUNDLE: proxy.ca,
  };
  const printed = await output("lexicon", args, { env, cwd: home });
  return action === "list" ? JSON.parse(printed) : [];
}

/** What dig shows for a record's content; a name server's referral is seen in the authority section. */
const seen = async (type: string, name: string) => {
  const section = type === "NS" ? "+authority" : "+answer";
  const lines = (await running.dig(`${name}.${zone} ${type}`, "+noall", section)).split("\n");
  return lines
    .map((line) => line.split(/\s+/))
    .filter((fields) => fields[3] === type)
    .map((fields) => fields.slice(4).join(" ").replaceAll('"', ""))
    .sort();
};

const several = records.filter(({ type }) => type !== "CNAME");

describe.each(records)("lexicon manages $type records", ({ type, name, first, second }) => {
  const domain = `${name}.${zone}`;
  const list = () => lexicon("list", type, "--name", name);

  test("create", async () => {
    await lexicon("create", type, "--name", name, "--content", first, "--ttl", "300");
    await expect.poll(() => seen(type, name)).toEqual([first]);
  });

  test("list", async () => {
    expect(await list()).toEqual([{ id: `${zone}/${domain}/${type}`, type, name: domain, content: first, ttl: 300 }]);
  });

  test("update", async () => {
    const id = `${zone}/${domain}/${type}`;
    await lexicon("update", type, "--identifier", id, "--name", name, "--content", second);
    await expect.poll(() => seen(type, name)).toEqual([second]);
  });

  test("delete", async () => {
    await lexicon("delete", type, "--name", name);
    await expect.poll(() => seen(type, name)).toEqual([]);
    expect(await list()).toEqual([]);
  });
});

test.each(several)("lexicon adds to $type records, and deletes one of two", async ({ type, name, first, second }) => {
  await lexicon("create", type, "--name", name, "--content", second);
  await lexicon("create", type, "--name", name, "--content", first);
  await expect.poll(() => seen(type, name)).toEqual([first, second].sort());
  await lexicon("delete", type, "--name", name, "--content", second);
  await expect.poll(() => seen(type, name)).toEqual([first]);
});

test("lexicon was led here by its own fixed host name", () => {
  expect(proxy.seen.length).toBeGreaterThan(50);
  expect(proxy.seen).toContain(`PUT /v1/zones/${zone}/www.${zone}/A`);
});
