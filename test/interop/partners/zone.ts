/** Transferred and expected zones: one line a record, in canonical order (RFC 4034 section 6). */
import { randomInt } from "node:crypto";
import { parseReply, printRecord, type ResourceRecord } from "../../../src/dns/reply.ts";
import { axfrQuery, soaQuery } from "../../../src/dns/transfer/query.ts";
import { serialOf, soaIn, TransferReader } from "../../../src/dns/transfer/reply.ts";
import { tsigAlgorithmNamed } from "../../../src/dns/tsig/algorithms.ts";
import { StreamVerifier } from "../../../src/dns/tsig/stream.ts";
import { sign, type TsigKey } from "../../../src/dns/tsig/tsig.ts";
import { compareNames, nameFromApi } from "../../../src/dns/wire/name.ts";
import { exchange } from "../../../src/net/client/exchange.ts";
import { exchangeLong } from "../../../src/net/client/long-exchange.ts";
import { run } from "../../machine/processes.ts";
import type { Change, Key, PartnerZone } from "./program.ts";

const address = "127.0.0.1";
const limits = { records: 100_000, octets: 64 << 20 };

/** The serial that a server answers with; undefined while it does not serve the zone. */
export async function serialAt(port: number, zone: string): Promise<number | undefined> {
  const name = nameFromApi(zone);
  const question = soaQuery(randomInt(0x10000), name);
  const { answer } = parseReply(await exchange({ address, port, transport: "udp", timeout: 2000 }, question));
  const soa = soaIn(answer, name);
  return soa && serialOf(soa);
}

export interface Version {
  readonly serial: number;
  /** All but the SOA record. */
  readonly records: readonly ResourceRecord[];
  /** The SOA record without its serial. */
  readonly soa: string;
}

/** The zone that a server transfers as a whole. */
export async function versionAt(port: number, { zone, key }: PartnerZone): Promise<Version> {
  const name = nameFromApi(zone);
  const id = randomInt(0x10000);
  const question = axfrQuery(id, name);
  const { octets, mac } = key ? sign(question, keyFrom(key), unixTime()) : { octets: question, mac: undefined };
  const verifier = key && mac && new StreamVerifier(keyFrom(key), mac);
  const reader = new TransferReader({ id, zone: name, since: undefined }, limits);
  const { signal } = new AbortController();
  for await (const message of exchangeLong({ address, port, message: 10_000, total: 60_000, signal }, octets)) {
    verifier?.take(message, unixTime());
    reader.take(message);
    if (reader.isComplete) break;
  }
  const result = reader.result();
  if (result.kind !== "whole") throw new Error(`${zone} was not transferred as a whole`);
  const serial = serialOf(result.soa);
  return { serial, records: result.records, soa: printRecord(result.soa).replace(` ${serial} `, " serial ") };
}

const unixTime = () => Math.floor(Date.now() / 1000);

const keyFrom = ({ name, algorithm, secret }: Key): TsigKey => ({
  name: nameFromApi(name),
  algorithm: tsigAlgorithmNamed(algorithm)!,
  secret: Buffer.from(secret, "base64"),
});

/** Sorted lines, each record once. */
export const linesOf = (records: readonly ResourceRecord[]): string[] => [
  ...new Set(records.toSorted(canonically).map(printRecord)),
];

const canonically = (a: ResourceRecord, b: ResourceRecord) =>
  compareNames(a.owner, b.owner) || a.type.code - b.type.code || Buffer.compare(a.rdata, b.rdata);

/** The expected zone after each change. */
export class ZoneModel {
  readonly #rrsets: Map<string, readonly ResourceRecord[]>;

  constructor(records: readonly ResourceRecord[]) {
    this.#rrsets = Map.groupBy(records, ({ owner, type }) => placeOf(owner, type.code));
  }

  put({ domain, type, ttl, rdata }: Change): void {
    const owner = nameFromApi(domain);
    this.#rrsets.set(
      placeOf(owner, type.code),
      rdata.map((data) => ({ owner, type, ttl, rdata: data })),
    );
  }

  get lines(): string[] {
    return linesOf([...this.#rrsets.values()].flat());
  }
}

const placeOf = (owner: Uint8Array, type: number) => `${Buffer.from(owner).toString("latin1")} ${type}`;

/** The zone as dig reads it: one line a record, each once and sorted; undefined while there is none. */
export async function transferred(port: number, zone: string, key?: Key): Promise<string[] | undefined> {
  const signed = key ? ["-y", `${key.algorithm}:${key.name}:${key.secret}`] : [];
  const words = [`@${address}`, "-p", `${port}`, "+tries=1", "+time=10", ...signed, "+noall", "+answer", zone, "AXFR"];
  const lines = (await run("dig", words)).out.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  return lines.length < 2 ? undefined : [...new Set(lines.map((line) => line.split(/\s+/).join(" ")))].sort();
}
