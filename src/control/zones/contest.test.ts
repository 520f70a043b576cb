/** The owner of a domain takes its name from accounts that do not own it. */
import { beforeEach, expect, test } from "vitest";
import { type Answer, type Client, type Fields, networkZero, startApi } from "../../../test/service/api.ts";

/** The public DNS: name servers, or "silent", by name; and texts. */
const servers = new Map<string, readonly string[] | "silent">();
const texts = new Map<string, readonly string[]>();
const api = await startApi({
  publicNames: {
    isUndelegated: async () => undefined,
    async serversOf(name) {
      const found = servers.get(name) ?? [];
      return found === "silent" ? undefined : found;
    },
    delegationOf: async () => undefined,
    textsOf: async (name) => texts.get(name) ?? [],
    close() {},
  },
});
const squatter = await api.stranger();
const owner = await api.stranger();
let count = 0;
let domain = "";
beforeEach(() => {
  domain = `d${++count}.example`;
  servers.set(domain, ["ns.elsewhere.example"]);
});

const message = ({ status, body }: Answer) => (status === 200 ? "200" : `${status} ${body["message"]}`);
const claim = (client: Client, zone: string) => client.call("POST", `zones/${zone}/claim`);
async function prove(client: Client, zone: string) {
  const { record } = await client.must<{ record: { domain: string; type: string; value: string } }>(
    "GET",
    `zones/${zone}/claim`,
  );
  texts.set(record.domain, ["v=spf1 -all", record.value]);
  return record;
}

test("a zone of a stranger, at or below the name, loses the name and can be brought back by nobody else", async () => {
  await squatter.must("PUT", `zones/www.${domain}`, {});
  await squatter.must("PUT", `zones/mail.${domain}`, {});
  await squatter.must("DELETE", `zones/mail.${domain}`);
  expect(message(await owner.call("PUT", `zones/${domain}`, {}))).toMatch(/above a zone of another account/);
  expect(message(await claim(owner, domain))).toMatch(/^400 there is no TXT record _fairlead-claim\./);
  const { domain: name, value } = await prove(owner, domain);
  expect([name, value]).toEqual([`_fairlead-claim.${domain}`, expect.stringMatching(/^fairlead-[0-9a-f]{40}$/)]);
  expect(message(await claim(owner, domain))).toBe("200");
  // nobody is faster than the owner
  expect(message(await squatter.call("PUT", `zones/www.${domain}`, {}))).toMatch(/below a zone of another account/);
  await owner.must("PUT", `zones/${domain}`, {});
  expect((await squatter.call("GET", `zones/www.${domain}`)).status).toBe(404);
  for (const label of ["www", "mail"]) {
    const undelete = await squatter.call("POST", `deletedzones/${label}.${domain}/undelete`);
    expect(message(undelete)).toMatch(/below a zone of another account/);
  }
  const [entry] = await squatter.must<Fields[]>("GET", "account/activity?limit=1");
  expect(entry).toMatchObject({ resource_type: "dns_zone", action: "release", user_name: "zone claim" });
  await owner.must("DELETE", `zones/${domain}`);
});

test("catalogs do not protect a name", async () => {
  const primary = { enabled: true, secondaries: [{ ip: "192.0.2.53" }] };
  const [catalog, member] = [`catalog.${domain}`, `member.${domain}`];
  await squatter.must("PUT", `zones/${catalog}`, { primary, catalog: { role: "producer" } });
  await squatter.must("PUT", `zones/${member}`, { primary, catalog: { role: "member", of: catalog } });
  await prove(owner, domain);
  expect(message(await claim(owner, domain))).toBe("200");
  for (const zone of [catalog, member]) expect((await squatter.call("GET", `zones/${zone}`)).status).toBe(404);
});

test("the record of one account proves nothing for another, nor for another name", async () => {
  await squatter.must("PUT", `zones/${domain}`, {});
  const record = await prove(owner, domain);
  expect(message(await claim(api, domain))).toMatch(/^400 there is no TXT record/);
  expect(message(await claim(owner, `sub.${domain}`))).toMatch(/^400 there is no TXT record/);
  texts.set(`_fairlead-claim.sub.${domain}`, [record.value]);
  expect(message(await claim(owner, `sub.${domain}`))).toMatch(/^400 zone .* is below a zone of another account/);
  expect((await squatter.call("GET", `zones/${domain}`)).status).toBe(200);
});

test("a name that is delegated here, or has a delegated zone below it, moves by the operator alone", async () => {
  await squatter.must("PUT", `zones/${domain}`, {});
  await prove(owner, domain);
  servers.set(domain, ["NS.elsewhere.example", networkZero.pools[0]!.name_servers[0]!]);
  expect(message(await claim(owner, domain))).toMatch(/^400 .* is delegated already/);
  const other = `other.${domain}`;
  await squatter.must("DELETE", `zones/${domain}`);
  servers.set(domain, ["ns.elsewhere.example"]);
  await squatter.must("PUT", `zones/${other}`, {});
  servers.set(other, ["ns.anywhere.example"]);
  expect(message(await claim(owner, domain))).toMatch(/^400 .* is delegated already/);
  expect((await squatter.call("GET", `zones/${other}`)).status).toBe(200);
});

test("without an answer of the resolver nothing moves", async () => {
  await squatter.must("PUT", `zones/${domain}`, {});
  await prove(owner, domain);
  const below = `below.${domain}`;
  servers.set(domain, "silent");
  expect(message(await claim(owner, domain))).toMatch(/^503 the resolver/);
  expect((await squatter.call("GET", `zones/${domain}`)).status).toBe(200);
  await squatter.must("DELETE", `zones/${domain}`);
  await squatter.must("PUT", `zones/${below}`, {});
  servers.set(domain, ["ns.elsewhere.example"]).set(below, "silent");
  expect(message(await claim(owner, domain))).toMatch(/^503 the resolver/);
  expect((await squatter.call("GET", `zones/${below}`)).status).toBe(200);
});

test("a name that nobody has is not kept without a zone, and many refusals close the door", async () => {
  expect(message(await claim(api, domain))).toMatch(/^400 there is no TXT record/);
  await prove(api, domain);
  expect(message(await claim(api, domain))).toBe("200");
  await owner.must("PUT", `zones/${domain}`, {});
  const guesser = await api.stranger();
  const replies: number[] = [];
  for (let i = 0; i < 200 && replies.at(-1) !== 429; i++) replies.push((await claim(guesser, domain)).status);
  expect(replies.at(-1)).toBe(429);
});

test("a key needs the right for the zone", async () => {
  const key = await api.limited({ dns: { zones_allow_by_default: false, zones_allow: ["mine.example"] } });
  for (const method of ["GET", "POST"]) expect((await key.call(method, `zones/${domain}/claim`)).status).toBe(403);
});
