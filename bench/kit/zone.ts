/** Zones of benches: as an image for our server, as text for peers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImageRecord, ImageZone } from "../../src/answer/image/rrset/source.ts";
import { ImageWriter } from "../../src/answer/image/writer/writer.ts";
import { dropMemory, sharedMemory } from "../../src/net/socket/pages.ts";

export interface BenchRecord {
  readonly domain: string;
  readonly type: string;
  /** RDATA in presentation format; names end with a dot. */
  readonly answers: readonly string[];
}

export interface BenchZone {
  readonly apex: string;
  readonly records: () => Iterable<BenchRecord>;
}

export const apex = "example.com";
/** A name outside the zone, so that no server adds its addresses. */
export const nameServer = "ns1.else.example.";

const zoneOf = (name: string): ImageZone => ({
  id: name === apex ? "zone" : name,
  account_id: "account",
  zone: name,
  view: "",
  ttl: 3600,
  refresh: 43200,
  retry: 7200,
  expiry: 1209600,
  nx_ttl: 3600,
  hostmaster: `hostmaster@${name}`,
  primary_master: `ns1.${name}`,
  disabled: false,
});

export const zone = zoneOf(apex);

/** Owner names of equal length, so that sizes depend only on their number. */
export const host = (i: number) => `h${String(i).padStart(7, "0")}.${apex}`;
export const address = (i: number) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;

/** A zone of `count` hosts with an address each. */
export const hostsZone = (count: number): BenchZone => ({
  apex,
  *records() {
    for (let i = 0; i < count; i++) yield { domain: host(i), type: "A", answers: [address(i)] };
  },
});

/** Delegated names, each with two name servers below it. */
export function* delegations(count: number): Generator<BenchRecord> {
  for (let i = 0; i < count; i++) {
    const servers = ["ns1", "ns2"].map((label) => `${label}.d${i}.${apex}`);
    yield { domain: `d${i}.${apex}`, type: "NS", answers: servers.map((server) => `${server}.`) };
    for (const server of servers) yield { domain: server, type: "A", answers: [address(i)] };
  }
}

export const answerOf = (answer: string) => ({ answer: answer.split(" ") });

export const imageRecord = (zoneId: string, { domain, type, answers }: BenchRecord): ImageRecord => ({
  ...{ zone_id: zoneId, domain, type, ttl: 300, answers: answers.map(answerOf) },
  ...{ override_ttl: false, override_address_records: false },
});

export function imageOf(zones: Iterable<BenchZone>): ImageWriter {
  const image = ImageWriter.create({ makeMemory: sharedMemory, dropMemory });
  for (const { apex, records } of zones) {
    const held = zoneOf(apex);
    image.putZone(held, 1);
    image.putRecord(imageRecord(held.id, { domain: apex, type: "NS", answers: [nameServer] }));
    for (const record of records()) image.putRecord(imageRecord(held.id, record));
    image.commit();
    while (image.tidy(1000));
  }
  return image;
}

/** Zones as text. Several zones may share one file with relative names. */
export interface ZoneFiles {
  readonly directory: string;
  readonly zones: readonly { readonly apex: string; readonly file: string }[];
  /** A question that the last zone can answer. */
  readonly probe: string;
}

/** The SOA record as our server composes it: negative answers contain it, so it must have the same size everywhere. */
function soaOf(apex: string): string {
  const { ttl, primary_master, refresh, retry, expiry, nx_ttl } = zoneOf(apex);
  return `${apex}. ${ttl} IN SOA ${primary_master}. hostmaster.${apex}. 1 ${refresh} ${retry} ${expiry} ${nx_ttl}`;
}

/** Lines per write. */
const linesAtOnce = 100_000;

export function writeZone(directory: string, { apex, records }: BenchZone): ZoneFiles {
  const path = join(directory, "zone");
  let lines = [soaOf(apex), `${apex}. 3600 IN NS ${nameServer}`];
  writeFileSync(path, "");
  const flush = () => {
    writeFileSync(path, `${lines.join("\n")}\n`, { flag: "a" });
    lines = [];
  };
  for (const { domain, type, answers } of records()) {
    for (const answer of answers) lines.push(`${domain}. 300 IN ${type} ${answer}`);
    if (lines.length >= linesAtOnce) flush();
  }
  flush();
  return { directory, zones: [{ apex, file: "zone" }], probe: `${apex} SOA` };
}
