/** Made-up data of a service that is used every day: zones in several states, steered records, feeds, people, queries. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { output } from "../../machine/processes.ts";
import type { Service } from "../../service/kit.ts";

export const zone = "example.com";
const steered = `www.${zone}`;

/** Feeds by label, with what they say. */
const servers = {
  "fra-1": { up: true, loadavg: 1.4, connections: 1250 },
  "fra-2": { up: true, loadavg: 0.7, connections: 830 },
  "nyc-1": { up: false, loadavg: 0 },
  "sin-1": { up: true, loadavg: 2.1, connections: 2410 },
};

export interface Sample {
  /** The id of the source of feeds. */
  readonly source: string;
  readonly feed: string;
  /** The id of a key. */
  readonly key: string;
}

/** Fills an empty service. */
export async function fillSample(service: Service): Promise<Sample> {
  const { source, feeds } = await fillFeeds(service);
  await fillZones(service);
  await fillRecords(service, feeds);
  const key = await fillPeople(service);
  await changeMuch(service);
  await askMuch(service);
  return { source, feed: feeds["fra-1"] ?? "", key };
}

async function fillFeeds(service: Service) {
  const make = (name: string) => service.must<{ id: string }>("PUT", "data/sources", { name, sourcetype: "nsone_v1" });
  const { id: source } = await make("Monitoring in Frankfurt");
  const { id: silent } = await make("Load of the cache servers");
  const feeds: { [label: string]: string } = {};
  for (const label of Object.keys(servers)) {
    const body = { name: label, config: { label }, fallback: { up: true }, max_age: label === "fra-1" ? 3600 : null };
    feeds[label] = (await service.must<{ id: string }>("PUT", `data/feeds/${source}`, body)).id;
  }
  await service.must("PUT", `data/feeds/${silent}`, { name: "cache-7", config: { label: "cache-7" }, max_age: 1 });
  for (const loadavg of [0.9, 1.2]) {
    await service.must("POST", `feed/${source}`, { ...servers, "fra-1": { ...servers["fra-1"], loadavg } });
  }
  await service.must("POST", `feed/${source}`, servers);
  await service.must("POST", `feed/${silent}`, { "cache-7": { loadavg: 3.5 } });
  return { source, feeds };
}

async function fillZones(service: Service): Promise<void> {
  await service.zone(zone, { tags: { team: "web", tier: "production" } });
  for (const name of ["example.net", "example.org", "xn--bcher-kva.example", "shop.example", "static.example"]) {
    await service.zone(name, { tags: { team: name.startsWith("shop") ? "shop" : "web" } });
  }
  for (let n = 1; n <= 5; n++) await service.zone(`customer-${n}.example`, { tags: { customer: String(1000 + n) } });
  await service.zone("parked.example", { disabled: true });
  await service.zone("mirror.example", { link: zone });
  await service.zone("partner.example", { secondary: { enabled: true, primary_ip: "192.0.2.53" } });
  await service.zone("old.example");
  await service.must("DELETE", "zones/old.example");
}

async function fillRecords(service: Service, feeds: { readonly [label: string]: string }): Promise<void> {
  const up = (label: string) => ({ up: { feed: feeds[label] } });
  await service.must("PUT", `zones/${zone}/${steered}/A`, {
    ttl: 30,
    regions: {
      europe: { meta: { georegion: ["EUROPE", "AFRICA"] } },
      america: { meta: { georegion: ["US-EAST", "US-CENTRAL", "US-WEST", "SOUTH-AMERICA"] } },
      asia: { meta: { georegion: ["ASIAPAC"] } },
    },
    answers: [
      { answer: ["192.0.2.1"], region: "europe", meta: { ...up("fra-1"), weight: 2 } },
      { answer: ["192.0.2.2"], region: "europe", meta: { ...up("fra-2"), weight: 1 } },
      { answer: ["198.51.100.1"], region: "america", meta: up("nyc-1") },
      { answer: ["203.0.113.1"], region: "asia", meta: up("sin-1") },
    ],
    filters: [
      ...["up", "geotarget_regional", "select_first_region", "weighted_shuffle"].map((filter) => ({ filter })),
      { filter: "select_first_n", config: { N: 1 } },
    ],
  });
  const plain: [string, string, (string | number)[][]][] = [
    [zone, "A", [["192.0.2.1"], ["192.0.2.2"]]],
    [
      zone,
      "MX",
      [
        [10, "mx1.example.com"],
        [20, "mx2.example.com"],
      ],
    ],
    [zone, "TXT", [["v=spf1 mx include:_spf.example.net -all"]]],
    [`_dmarc.${zone}`, "TXT", [["v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"]]],
    [`mx1.${zone}`, "A", [["192.0.2.25"]]],
    [`mx2.${zone}`, "A", [["198.51.100.25"]]],
    [`_sip._tcp.${zone}`, "SRV", [[10, 60, 5060, "sip.example.com"]]],
    [`sip.${zone}`, "AAAA", [["2001:db8::5060"]]],
    [`shop.${zone}`, "CNAME", [["shop.example"]]],
    [`lists.${zone}`, "CNAME", [["gone.example.com"]]],
    [`api.${zone}`, "A", [["192.0.2.80"]]],
  ];
  await service.must("POST", `zones/${zone}/records`, {
    put: plain.map(([domain, type, answers]) => ({ domain, type, answers: answers.map((answer) => ({ answer })) })),
  });
  await service.must("PUT", `zones/${zone}/versions`, { name: "before the move" });
}

/** Returns the id of a key. */
async function fillPeople(service: Service): Promise<string> {
  const { id: team } = await service.must<{ id: string }>("PUT", "account/teams", { name: "Web operations" });
  await service.must("PUT", "account/teams", { name: "Support" });
  const users = { dora: "Dora Example", emil: "Emil Example", frida: "Frida Example" };
  for (const [username, name] of Object.entries(users)) {
    const teams = username === "dora" ? [team] : [];
    await service.must("PUT", "account/users", { username, name, email: `${username}@example.net`, teams });
  }
  const rights = { dns: { zones_allow_by_default: false, zones_allow: [zone] }, account: { manage_users: false } };
  await service.must("POST", "account/users/emil", { permissions: rights });
  const acme = await service.must<{ id: string }>("PUT", "account/apikeys", { name: "certificates of www" });
  await service.must("PUT", "account/apikeys", { name: "deployment", teams: [team] });
  await service.must("PUT", "account/whitelist", {
    name: "Office",
    values: ["192.0.2.0/24", "2001:db8::/32", "127.0.0.1"],
  });
  const secret = Buffer.alloc(32, 7).toString("base64");
  await service.must("PUT", "tsig/transfer.example", { algorithm: "hmac-sha256", secret });
  return acme.id;
}

async function changeMuch(service: Service): Promise<void> {
  for (const last of [81, 82]) await service.put(zone, `api.${zone} A`, [`192.0.2.${last}`]);
  await service.must("POST", `zones/${zone}`, { ttl: 7200, hostmaster: "dns@example.com" });
}

/** Sends queries, and waits until they are counted. */
async function askMuch(service: Service): Promise<void> {
  const names = [steered, steered, steered, zone, `api.${zone}`, `none.${zone}`, "example.net"];
  const file = join(service.data, "questions");
  writeFileSync(file, Array.from({ length: 420 }, (_, n) => `${names[n % names.length]} A\n`).join(""));
  await output("dig", ["@127.0.0.1", "-p", `${service.port}`, "+short", "+tries=1", "+time=1", "-f", file]);
  await service.daemon.until(async () => {
    const usage = await service.must<{ queries: number }[]>("GET", "stats/usage");
    return (usage[0]?.queries ?? 0) >= 400;
  }, 60_000);
}

/** Edits that wait to be applied. */
export const sampleDraft = [
  {
    ...{ action: "update", zone, domain: `api.${zone}`, type: "A", ttl: 300 },
    answers: [{ answer: ["192.0.2.90"] }],
  },
  {
    ...{ action: "update", zone, domain: zone, type: "MX" },
    answers: [{ answer: [10, "mx1.example.com"] }, { answer: [20, "mx9.example.com"] }],
  },
  { action: "delete", zone, domain: `lists.${zone}`, type: "CNAME" },
  { action: "create", zone: "example.net", domain: "www.example.net", type: "A", answers: [{ answer: ["192.0.2.1"] }] },
];
