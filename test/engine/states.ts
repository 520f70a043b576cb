/** Zones, records and change sets for tests of an edge, and questions to it. */
import { decode, encode } from "dns-packet";
import { type Exchange, exchange } from "../../src/net/client/exchange.ts";
import {
  type Baseline,
  type Change,
  type ChangeSet,
  configuration,
  type RecordState,
  type ZoneState,
} from "../../src/sync/change.ts";

export const zoneState = (zone: string, fields: Partial<ZoneState> = {}): ZoneState => ({
  id: `id of ${zone}`,
  account_id: "account",
  zone,
  view: "",
  ttl: 3600,
  refresh: 43_200,
  retry: 7200,
  expiry: 1_209_600,
  nx_ttl: 3600,
  hostmaster: "hostmaster.fairlead.test",
  primary_master: "dns1.p01.fairlead.test",
  networks: [0],
  disabled: false,
  ...fields,
});

export const recordState = (
  { id }: ZoneState,
  domain: string,
  type: string,
  ...answers: (readonly (string | number)[])[]
): RecordState => ({
  id: `${domain} ${type}`,
  zone_id: id,
  domain,
  type,
  ttl: 300,
  answers: answers.map((answer, index) => ({ id: String(index), answer })),
  meta: {},
  regions: {},
  filters: [],
  use_client_subnet: true,
  override_ttl: false,
  override_address_records: false,
});

export const baselineOf = (zones: readonly ZoneState[], records: readonly RecordState[], revision = 1): Baseline => ({
  ...{ revision, mark: "" },
  async *zones() {
    yield zones.map((zone) => ({ zone, serial: 1 }));
  },
  async *records() {
    yield records;
  },
});

export const changeSet = (
  revision: number,
  changes: readonly Change[],
  serials: Record<string, number>,
): ChangeSet => ({
  subject: configuration,
  ...{ revision, mark: "", previous: revision - 1, previous_mark: "" },
  id: `change ${revision}`,
  serials,
  changes,
});

/** A query such as `www.example.com A` as octets. */
export function queryOf(question: string): Uint8Array {
  const [name = "", type = "A"] = question.split(" ");
  return encode({ type: "query", id: Math.floor(Math.random() * 65_536), questions: [{ name, type }] });
}

/** RCODE and answers as text: `NOERROR 192.0.2.1`. An SOA record is shown by its serial. */
export function summary(octets: Uint8Array): string {
  const { rcode, answers } = decode(Buffer.from(octets));
  const texts = answers.map(({ data }) => (isSoa(data) ? data.serial : data));
  return [rcode, ...texts].join(" ");
}

const isSoa = (data: unknown): data is { serial: number } =>
  typeof data === "object" && data !== null && "serial" in data;

export const ask = async (server: Omit<Exchange, "transport"> & Partial<Exchange>, question: string) =>
  summary(await exchange({ transport: "udp", ...server }, queryOf(question)));
