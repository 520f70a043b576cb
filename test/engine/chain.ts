/** Runs a chain without an image or a packet, for the tables of cases in filters' tests. */
import { compileChain, type Surroundings } from "../../src/answer/chain/chain.ts";
import { LocatedClient } from "../../src/answer/filters/contract/client.ts";
import { composeSettings, readSettings } from "../../src/answer/lists/settings.ts";
import { LiveReader } from "../../src/answer/live/reader.ts";
import { LiveTable } from "../../src/answer/live/table.ts";
import { Selection } from "../../src/answer/model/selection.ts";
import type { SteeringSettings } from "../../src/answer/model/steering-settings.ts";
import { rdataFromApi } from "../../src/dns/rdata/codec.ts";
import { typeNamed } from "../../src/dns/type-names.ts";
import type { ClientFacts } from "../../src/lib/facts.ts";
import { ipv4Text } from "../network/addresses.ts";

export interface ChainCase {
  /** The default is A. */
  readonly type?: string;
  /** `answer` is the RDATA in the API's form; when left out, 10.0.0.1, 10.0.0.2, ... in order. */
  readonly answers: readonly {
    readonly answer?: readonly unknown[];
    readonly meta?: unknown;
    readonly region?: unknown;
  }[];
  readonly meta?: unknown;
  readonly regions?: unknown;
  readonly filters: readonly unknown[];
  readonly all_down?: unknown;
  readonly live_guard?: unknown;
  /** Whether the settings go through the form that the image holds. */
  readonly isStored?: boolean;
  /** Values of feeds, by feed id. */
  readonly feeds?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The Unix milliseconds of the push, by feed id; 0 when left out. */
  readonly pushedAt?: Readonly<Record<string, number>>;
  /** Address of the client; 198.51.100.7 when left out. */
  readonly client?: readonly number[];
  readonly place?: Partial<Omit<ClientFacts, "lengths">>;
  readonly seed?: number;
  /** The labels in wire format that the wildcard matched. */
  readonly matched?: Uint8Array;
}

export interface ChainOutcome {
  /**
   * The remaining answers in order: `0`, `1`, ... for the record's answers, an address for an answer that a filter
   * made.
   */
  readonly left: readonly (number | string)[];
  /** Texts for the additional section, without their length octets. */
  readonly texts: readonly string[];
  /** Bits of the client's address on which the outcome depended. */
  readonly depth: number;
}

/** Lengths of the facts of `place`: all different, so that `depth` shows which facts were read. */
export const lengths = { country: 11, subdivision: 13, georegion: 9, asn: 17, coordinates: 19 };

export function runChain(chain: ChainCase): ChainOutcome {
  const { selection, client, run } = prepare(chain);
  run();
  const left = Array.from({ length: selection.count }, (_, place) => shown(selection, place));
  const texts = selection.texts.map((octets) => Buffer.from(octets.subarray(1)).toString());
  return { left, texts, depth: client.depth };
}

/**
 * Counts the first `places` remaining answers, as `0,2`, over `times` consecutive queries with one sequence of random
 * numbers. `clientOf` returns the client of each query.
 */
export function countChain(
  chain: ChainCase,
  times: number,
  places: number,
  clientOf?: (query: number) => readonly number[],
): Map<string, number> {
  const { selection, run } = prepare(chain);
  const counts = new Map<string, number>();
  for (let query = 0; query < times; query++) {
    run(clientOf?.(query));
    let first = "";
    for (let place = 0; place < places && place < selection.count; place++) {
      first += `${place > 0 ? "," : ""}${shown(selection, place)}`;
    }
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return counts;
}

function prepare(chain: ChainCase) {
  const { type = "A", answers, client: only = [198, 51, 100, 7], seed = 1 } = chain;
  const given = { meta: {}, regions: {}, use_client_subnet: true, ...chain, type };
  const settings = chain.isStored ? stored(given) : given;
  const rdata = answers.map(({ answer }, i) => rdataFromApi(typeNamed(type)!, answer ?? [`10.0.0.${i + 1}`]));
  const compiled = compileChain(settings, rdata, surroundings(chain));
  const place = { ...nowhere, ...chain.place, lengths };
  const client = new LocatedClient(() => place, seed);
  const selection = new Selection();
  const run = (address: readonly number[] = only) => {
    client.begin(Uint8Array.from(address), 0, address.length, address.length === 4 ? 4 : 16);
    client.match(chain.matched, chain.matched?.length ?? 0);
    compiled.run(selection, client);
  };
  return { selection, client, run };
}

/** The settings as a query reads them from the image. */
export function stored(settings: SteeringSettings): SteeringSettings {
  const octets = composeSettings({ ...settings, records: settings.answers.map((_, i) => i) });
  const read = readSettings(octets, 0, octets.length);
  Object.assign(read.lists, { octets, at: read.listsAt });
  return read.settings;
}

function shown(selection: Selection, place: number): number | string {
  const made = selection.address(place);
  return made === undefined ? selection.answer(place) : ipv4Text(made);
}

const nowhere = {
  country: undefined,
  subdivision: undefined,
  georegion: undefined,
  asn: undefined,
  latitude: undefined,
  longitude: undefined,
};

/** Centres of a few places, for distances. */
const centres: Readonly<Record<string, { latitude: number; longitude: number }>> = {
  US: { latitude: 38, longitude: -97 },
  "US-CA": { latitude: 37, longitude: -119.5 },
  "US-NY": { latitude: 43, longitude: -75.5 },
  CA: { latitude: 60, longitude: -95 },
  DE: { latitude: 51, longitude: 9 },
  FR: { latitude: 46, longitude: 2 },
  JP: { latitude: 36, longitude: 138 },
  "US-EAST": { latitude: 39, longitude: -78 },
  "US-CENTRAL": { latitude: 37, longitude: -95 },
  "US-WEST": { latitude: 39, longitude: -119 },
  EUROPE: { latitude: 50, longitude: 12 },
  ASIAPAC: { latitude: 20, longitude: 110 },
  "SOUTH-AMERICA": { latitude: -15, longitude: -58 },
  AFRICA: { latitude: 3, longitude: 21 },
};

function surroundings({ feeds = {}, pushedAt = {} }: ChainCase): Surroundings {
  const table = new LiveTable();
  const states = Object.entries(feeds).map(([feed_id, data]) => ({ feed_id, data, at: pushedAt[feed_id] ?? 0 }));
  table.put(states.map((state) => ({ ...state, max_age: null, fallback: null })));
  const live = new LiveReader(table.share());
  live.now = now;
  return { live, atlas: { centre: (place) => centres[place] } };
}

const now = 1_000_000;
