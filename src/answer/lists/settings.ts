/**
 * The settings of a steered record as the image holds them, so that a query can use them at once: values that no filter
 * reads are left out, numbers are read, and lists are binary.
 */
import { isObject } from "../../lib/values.ts";
import { numberOf } from "../live/number.ts";
import { isDisabled, type SteeringSettings } from "../model/steering-settings.ts";
import { type ListKind, ListMemory, read32, StoredList } from "./list.ts";
import { asns } from "./numbers.ts";
import { caProvinces, codesOf, countries, subdivisions, usStates } from "./places.ts";
import { prefixes } from "./prefixes.ts";
import { texts } from "./texts.ts";

/** Settings with the record index of each answer; answers with the same RDATA share a record. */
export interface StoredSettings extends SteeringSettings {
  readonly records: readonly number[];
}

/** The kinds of the metadata keys whose values are lists. */
export const listKinds = {
  ip_prefixes: prefixes,
  asn: asns,
  country: countries,
  us_state: usStates,
  ca_province: caProvinces,
  subdivisions,
  additional_metadata: texts,
} as const satisfies Readonly<Record<string, ListKind<unknown>>>;

/** Keys that no filter reads. */
export const unreadKeys: readonly string[] = ["note", "pulsar"];

const binaryFormat = 2;
/** The format, and the length of the JSON, which the lists follow. */
const headOctets = 5;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function composeSettings(settings: StoredSettings): Uint8Array {
  const lists = new Lists();
  const { answers, regions } = settings;
  const named = new Set(answers.map(({ region }) => region));
  const used = isObject(regions) ? Object.entries(regions).filter(([name]) => named.has(name)) : [];
  const json = encoder.encode(
    JSON.stringify({
      ...settings,
      answers: answers.map(({ meta, region }) => ({ meta: lists.tableOf(meta), region })),
      meta: lists.tableOf(settings.meta),
      regions: Object.fromEntries(
        used.map(([name, region]) => [name, isObject(region) ? { meta: lists.tableOf(region["meta"]) } : {}]),
      ),
      filters: settings.filters.filter((filter) => isObject(filter) && !isDisabled(filter)),
    }),
  );
  const octets = new Uint8Array(headOctets + json.length + lists.octets);
  octets[0] = binaryFormat;
  new DataView(octets.buffer).setUint32(1, json.length);
  octets.set(json, headOctets);
  lists.write(octets, headOctets + json.length);
  return octets;
}

/** Settings that are read from the image. */
export interface ReadSettings {
  readonly settings: StoredSettings;
  /** The lists, which stay in the image. */
  readonly lists: ListMemory;
  /** Where the lists begin, and all that was copied ends. */
  readonly listsAt: number;
}

/** Reads the settings in `octets`, also those of format 1, which are plain JSON. Throws when there are none. */
export function readSettings(octets: Uint8Array, at: number, end: number): ReadSettings {
  const isBinary = octets[at] === binaryFormat;
  const from = isBinary ? at + headOctets : at;
  const listsAt = isBinary ? from + read32(octets, at + 1) : end;
  // a copy: text cannot be decoded in shared memory
  const settings: unknown = JSON.parse(decoder.decode(octets.slice(from, listsAt)));
  if (!isStored(settings)) throw new Error("a record in the image has no valid settings");
  const lists = new ListMemory();
  if (isBinary) {
    const opened = new Opened(lists);
    for (const { meta } of settings.answers) opened.open(meta);
    if (isObject(settings.regions)) {
      for (const region of Object.values(settings.regions)) if (isObject(region)) opened.open(region["meta"]);
    }
    opened.open(settings.meta);
  }
  return { settings, lists, listsAt };
}

const isStored = (value: unknown): value is StoredSettings =>
  isObject(value) && "records" in value && "filters" in value;

/** Puts lists where their tables have offsets; the same list is one object. */
class Opened {
  readonly #memory: ListMemory;
  readonly #lists = new Map<number, StoredList>();

  constructor(memory: ListMemory) {
    this.#memory = memory;
  }

  open(table: unknown): void {
    if (!isObject(table)) return;
    for (const [key, value] of Object.entries(table)) {
      if (typeof value !== "number" || !isListKey(key)) continue;
      const list = this.#lists.get(value) ?? new StoredList(this.#memory, value);
      this.#lists.set(value, list);
      // the table was just parsed
      (table as Record<string, unknown>)[key] = list;
    }
  }
}

/** The lists of a record, each once. */
class Lists {
  octets = 0;
  readonly #lists: Uint8Array[] = [];
  readonly #offsets = new Map<string, number | undefined>();

  /** The values that filters read; a list is replaced with its offset. An invalid value hides others, and is empty. */
  tableOf(meta: unknown): Record<string, unknown> | undefined {
    if (!isObject(meta)) return undefined;
    const kept = Object.entries(meta).filter(
      ([key, value]) => value !== null && value !== undefined && !unreadKeys.includes(key),
    );
    return Object.fromEntries(kept.map(([key, value]) => [key, this.#valueOf(key, value)]));
  }

  write(octets: Uint8Array, at: number): void {
    for (const list of this.#lists) {
      octets.set(list, at);
      at += list.length;
    }
  }

  #valueOf(key: string, value: unknown): unknown {
    if (isObject(value) && typeof value["feed"] === "string") return { feed: value["feed"] };
    if (isListKey(key)) return this.#offsetOf(key, value) ?? "";
    if (key === "georegion") return [...(codesOf(value) ?? [])];
    const number = numberOf(value);
    return Number.isNaN(number) ? "" : Math.min(Math.max(number, -Number.MAX_VALUE), Number.MAX_VALUE);
  }

  #offsetOf(key: keyof typeof listKinds, value: unknown): number | undefined {
    const name = `${key} ${JSON.stringify(value)}`;
    if (this.#offsets.has(name)) return this.#offsets.get(name);
    const list = listKinds[key].compose(value);
    const offset = list && this.octets;
    this.#offsets.set(name, offset);
    if (list) {
      this.#lists.push(list);
      this.octets += list.length;
    }
    return offset;
  }
}

const isListKey = (key: string): key is keyof typeof listKinds => Object.hasOwn(listKinds, key);
