/** One of each kind of object that an account can have, and names of objects that do not exist. */
import type { Client, Fields } from "../../service/api.ts";

export interface AccountObjects {
  /** Ids and names by kind; paths use the first. */
  readonly ids: Readonly<Record<Kind, readonly string[]>>;
}

export const kinds = [
  ...["zone", "zoneId", "deleted", "domain", "recordId", "version", "change", "job"],
  ...["source", "feed", "key", "keySecret", "team", "user", "list", "tsig", "session", "draft", "view"],
] as const;
export type Kind = (typeof kinds)[number];

/**
 * The victim's label and that of missing objects have equal length, so that a missing object's name looks like the
 * victim's.
 */
export const victim = "victim";
export const nameless = "noname";

/** Ids of what only a user of the account can have. */
export interface OfUser {
  readonly session: string;
  readonly draft: string;
  readonly view: string;
}

export async function fill(client: Client, label: string, { session, draft, view }: OfUser): Promise<AccountObjects> {
  const made = async (path: string, body: Fields) => await client.must("PUT", path, body);
  const idOf = (object: Fields) => String(object["id"]);
  const zone = `${label}.example`;
  const tsig = `key-${label}.example`;
  await made(`tsig/${tsig}`, { secret: "c2VjcmV0" });
  const source = idOf(await made("data/sources", { name: label, sourcetype: "nsone_v1" }));
  const feed = idOf(await made(`data/feeds/${source}`, { name: label, config: { label } }));
  const main = await made(`zones/${zone}`, {
    primary: { enabled: true, secondaries: [{ ip: "127.0.0.1", tsig_key: tsig, notify: false }] },
  });
  const domain = `www.${zone}`;
  const up = { up: { feed } };
  const record = await made(`zones/${zone}/${domain}/A`, { answers: [{ answer: ["192.0.2.1"], meta: up }] });
  const alias = await made(`zones/${zone}/alias.${zone}/A`, { link: domain });
  const version = idOf(await made(`zones/${zone}/versions`, {}));
  const linked = await made(`zones/linked-${label}.example`, { link: zone });
  const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: 1 };
  const second = await made(`zones/second-${label}.example`, { secondary });
  const primary = { enabled: true, secondaries: [{ ip: "127.0.0.1", notify: false }] };
  const catalog = await made(`zones/catalog-${label}.example`, { primary, catalog: { role: "producer" } });
  const deleted = await made(`zones/deleted-${label}.example`, {});
  await client.must("DELETE", `zones/deleted-${label}.example`);
  const job = idOf(
    await client.must("PUT", `import/zonefile/imported-${label}.example?async=true`, "@ 60 SOA ns hm 1 2 3 4 5\n"),
  );
  while ((await client.must("GET", `import/zonefile/${job}`))["percent"] !== 100);
  const change = (await client.call("POST", `zones/${zone}`, { ttl: 1234 })).headers.get("x-fairlead-change");
  const team = idOf(await made("account/teams", { name: label }));
  const key = idOf(await made("account/apikeys", { name: label, teams: [team] }));
  const expiring = await made("account/apikeys", { name: `${label}2`, expiry_duration: "30d" });
  const [secret] = expiring["secrets"] as readonly [Fields];
  const username = `${label}-user`;
  await made("account/users", { username, name: label, email: `${label}@example.net` });
  const list = idOf(await made("account/whitelist", { name: label }));
  const zones = [zone, `linked-${label}.example`, `second-${label}.example`, `catalog-${label}.example`];
  return {
    ids: {
      zone: [...zones, `imported-${label}.example`],
      zoneId: [main, linked, second, catalog, deleted].map(idOf),
      deleted: [`deleted-${label}.example`],
      domain: [domain, `alias.${zone}`],
      recordId: [record, alias].map(idOf),
      version: [version],
      change: [String(change)],
      job: [job],
      source: [source],
      feed: [feed],
      key: [key, idOf(expiring)],
      keySecret: [idOf(secret)],
      team: [team],
      user: [username],
      list: [list],
      tsig: [tsig],
      session: [session],
      draft: [draft],
      view: [view],
    },
  };
}

/** Returns the name or id of a missing object, in the form of `value`. */
export function missingLike(value: string): string {
  if (value.toLowerCase().includes(victim)) return asMissing(value);
  if (/^[0-9a-f]{24,}$/i.test(value)) return value.replace(/[0-9]/g, (digit) => String(9 - Number(digit)));
  return String(Number(value) + 777_777);
}

const asMissing = (text: string) =>
  text.replaceAll(victim, nameless).replaceAll(victim.toUpperCase(), nameless.toUpperCase());

/** Replaces the names and ids of missing objects in a text with the victim's. */
export function asVictim(text: string, values: readonly string[]): string {
  let shown = text.replaceAll(nameless, victim).replaceAll(nameless.toUpperCase(), victim.toUpperCase());
  for (const value of values) if (missingLike(value) !== value) shown = shown.replaceAll(missingLike(value), value);
  return shown;
}
