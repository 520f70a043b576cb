/** A writer: changes its own objects one after another over the API, until a reply is missing. */
import type { Random } from "../../src/lib/random.ts";
import type { Service } from "../service/kit.ts";
import type { Journal, State, Thing } from "./journal.ts";

export const sharedZones = ["one.durable.example", "two.durable.example"];
/** A record has its version in each of three answers: fewer answers or two versions show an incomplete write. */
export const answersOf = (version: number) => ["a", "b", "c"].map((part) => ({ answer: [`${version}-${part}`] }));
/** The owner names of the two records of a pair, which are always written together. */
export const pairOf = (name: string) => [`left.${name}`, `right.${name}`];

/** Feeds of one writer, by label. */
const feedsOf = (writer: number) => Array.from({ length: 4 }, (_, n) => `feed${writer}-${n}`);

/** Makes the data source that all writers push to; returns its id. */
export async function makeSource(service: Service, writers: number): Promise<string> {
  const body = { name: "durable", sourcetype: "nsone_v1" };
  const source = (await service.api<{ id: string }>("PUT", "data/sources", body)).body.id;
  for (const label of Array.from({ length: writers }, (_, writer) => feedsOf(writer)).flat()) {
    await service.api("PUT", `data/feeds/${source}`, { name: label, config: { label } });
  }
  return source;
}

/** The objects of one writer; no other writer touches them. */
export function thingsOf(writer: number, source: string): Thing[] {
  const zoneOf = (n: number) => sharedZones[n % sharedZones.length]!;
  const named = (kind: Thing["kind"], count: number) =>
    Array.from({ length: count }, (_, n) => ({ kind, zone: zoneOf(n), name: `${kind}${writer}-${n}.${zoneOf(n)}` }));
  const zones = Array.from({ length: 3 }, (_, n) => `zone${writer}-${n}.example`);
  return [
    ...named("record", 16),
    ...named("pair", 6),
    ...zones.map((name) => ({ kind: "zone" as const, zone: name, name })),
    ...feedsOf(writer).map((name) => ({ kind: "feed" as const, zone: source, name })),
  ];
}

/** Writes until `stopped`, or until a request has no good reply: its outcome is then in doubt. */
export async function write(service: Service, journal: Journal, random: Random, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const entry = journal.entries[Math.floor(random() * journal.entries.length)]!;
    const now = entry.acknowledged;
    const next = now !== undefined && random() < 0.25 ? undefined : journal.nextVersion();
    journal.begin(entry, next);
    const reply = await change(service, entry.thing, now, next).catch(() => undefined);
    if (!reply || reply.status >= 500) return;
    if (reply.status !== 200) throw new Error(`${entry.thing.name}: ${reply.status} ${JSON.stringify(reply.body)}`);
    journal.acknowledge(entry);
  }
}

function change(service: Service, { kind, zone, name }: Thing, now: State, next: State) {
  const method = next === undefined ? "DELETE" : now === undefined ? "PUT" : "POST";
  if (kind === "zone") {
    return service.api(method, `zones/${name}`, next === undefined ? undefined : { zone: name, refresh: next });
  }
  if (kind === "feed") {
    return service.api("POST", `feed/${zone}`, { [name]: next === undefined ? {} : { weight: next } });
  }
  if (kind === "record") {
    const body = next === undefined ? undefined : { zone, domain: name, type: "TXT", answers: answersOf(next) };
    return service.api(method, `zones/${zone}/${name}/TXT`, body);
  }
  const rows = pairOf(name).map((domain) => ({ domain, type: "TXT" }));
  const body =
    next === undefined ? { remove: rows } : { put: rows.map((row) => ({ ...row, answers: answersOf(next) })) };
  return service.api("POST", `zones/${zone}/records`, body);
}
