/** The registry of metadata keys, one row for each: its meaning, its category and its valid values. */
import { georegions } from "../../lib/facts.ts";
import { invalid } from "../../lib/problem.ts";
import { isNo, isObject, isYes } from "../../lib/values.ts";
import {
  areSubdivisions,
  either,
  integer,
  isNumeric,
  isPrefix,
  type Kind,
  kind,
  list,
  number,
  oneOf,
  text,
} from "./metavalue.ts";
import { countries, subdivisions } from "./places.ts";

interface MetaRow {
  readonly category: "status" | "geographical" | "informational" | "network" | "traffic_parameters" | "other";
  readonly shortdesc: string;
  /** HTML. */
  readonly desc: string;
  readonly takes: Kind;
}

/** Maximum values in one list, characters of a note, and octets of `additional_metadata` as JSON. */
export const metaBounds = { listed: 1000, note: 256, additional: 4096 } as const;

const loadavg: MetaRow = {
  category: "status",
  shortdesc: "Load average",
  desc: "Load of the host behind the answer. <code>shed_load</code> compares it with the watermarks.",
  takes: number(0),
};

const rows = {
  up: {
    category: "status",
    shortdesc: "Up/down",
    desc: "Whether the host behind the answer works. The <code>up</code> filter drops answers that are not up.",
    takes: kind("true or false, 1 or 0", (value) => isYes(value) || isNo(value), { type: "checkbox" }),
  },
  connections: {
    category: "status",
    shortdesc: "Active connections",
    desc: "Connections open at the host behind the answer, for <code>shed_load</code>.",
    takes: integer(0),
  },
  requests: {
    category: "status",
    shortdesc: "Active requests",
    desc: "Requests a second at the host behind the answer, for <code>shed_load</code>.",
    takes: integer(0),
  },
  loadavg,
  loadAvg: { ...loadavg, shortdesc: "Load average, as loadAvg" },
  pulsar: {
    category: "status",
    shortdesc: "Pulsar job",
    desc: "Jobs whose measurements steer the answer. Stored, but without effect until there are measurements.",
    takes: either(
      text(4096),
      list(
        metaBounds.listed,
        kind("an object with job_id", (job) => isObject(job) && "job_id" in job),
      ),
    ),
  },
  latitude: {
    category: "geographical",
    shortdesc: "Latitude",
    desc: "Degrees north of the equator, negative to the south.",
    takes: number(-180, 180),
  },
  longitude: {
    category: "geographical",
    shortdesc: "Longitude",
    desc: "Degrees east of Greenwich, negative to the west.",
    takes: number(-180, 180),
  },
  georegion: {
    category: "geographical",
    shortdesc: "Geographic region(s)",
    desc: `Large regions of the world: ${georegions.map((code) => `<code>${code}</code>`).join(", ")}.`,
    takes: list(
      georegions.length,
      oneOf("a georegion", () => georegions),
    ),
  },
  country: {
    category: "geographical",
    shortdesc: "Country/countries",
    desc: "Countries by their two letters in ISO 3166-1, such as <code>DE</code>.",
    takes: list(metaBounds.listed, oneOf("a country code of ISO 3166-1", countries)),
  },
  us_state: {
    category: "geographical",
    shortdesc: "US State(s)",
    desc: "States of the USA by their two letters, such as <code>CA</code>. Do not also name <code>US</code> as country, which would admit all states.",
    takes: list(
      metaBounds.listed,
      oneOf("a US state", () => subdivisions().get("US") ?? []),
    ),
  },
  ca_province: {
    category: "geographical",
    shortdesc: "Canadian province(s)",
    desc: "Provinces of Canada by their two letters, such as <code>ON</code>. Do not also name <code>CA</code> as country, which would admit all provinces.",
    takes: list(
      metaBounds.listed,
      oneOf("a Canadian province", () => subdivisions().get("CA") ?? []),
    ),
  },
  subdivisions: {
    category: "geographical",
    shortdesc: "Subdivisions",
    desc: 'Parts of countries by their codes in ISO 3166-2, with or without the country: <code>{"BR": ["SP", "BR-SC"]}</code>.',
    takes: kind("an object of country codes, each with an array of its ISO 3166-2 codes", areSubdivisions),
  },
  note: {
    category: "informational",
    shortdesc: "Notes",
    desc: "Any text for people and programs, up to 256 characters.",
    takes: text(metaBounds.note),
  },
  ip_prefixes: {
    category: "network",
    shortdesc: "IP Prefix List",
    desc: "Networks in CIDR notation, IPv4 and IPv6, up to 1000.",
    takes: list(metaBounds.listed, kind("a prefix such as 192.0.2.0/24", isPrefix, { type: "text" })),
  },
  asn: {
    category: "network",
    shortdesc: "AS Number(s)",
    desc: "Numbers of autonomous systems, up to 1000.",
    takes: list(
      metaBounds.listed,
      kind("an AS number", (value) => isNumeric(value, 0, 0xffffffff) && Number.isInteger(Number(value)), {
        type: "number",
      }),
    ),
  },
  priority: {
    category: "traffic_parameters",
    shortdesc: "Priority tier value",
    desc: "Answers with lower values are preferred.",
    takes: integer(0),
  },
  weight: {
    category: "traffic_parameters",
    shortdesc: "Answer weight",
    desc: "Share of the traffic in proportion to the weights of the other answers.",
    takes: number(0),
  },
  cost: {
    category: "traffic_parameters",
    shortdesc: "Cost",
    desc: "Answers with lower values are preferred.",
    takes: number(0),
  },
  low_watermark: {
    category: "traffic_parameters",
    shortdesc: "Low watermark",
    desc: "Load up to which <code>shed_load</code> keeps the answer.",
    takes: number(),
  },
  high_watermark: {
    category: "traffic_parameters",
    shortdesc: "High watermark",
    desc: "Load above which <code>shed_load</code> drops the answer.",
    takes: number(),
  },
  additional_metadata: {
    category: "other",
    shortdesc: "Additional metadata",
    desc: "One object, which the filter of the same name adds to replies as text.",
    takes: kind(
      "an array with exactly one object, up to 4096 octets of JSON",
      (value) =>
        Array.isArray(value) &&
        value.length === 1 &&
        isObject(value[0]) &&
        JSON.stringify(value).length <= metaBounds.additional,
    ),
  },
} as const satisfies Record<string, MetaRow>;

export type MetaKey = keyof typeof rows;

/** Every key, including second spellings. */
export const metaKeys: Readonly<Record<MetaKey, MetaRow>> = rows;

/**
 * Checks a metadata table from a request and returns the table to store: as it was sent, without keys that are null. A
 * value may be `{feed: id}`; the caller checks that the feed exists. Throws a Problem that names `field` and the key.
 */
export function readMeta(table: Readonly<Record<string, unknown>>, field: string): Record<string, unknown> {
  const entries = valuesOf(table);
  for (const [key, value] of entries) {
    const at = `${field}.${key}`;
    if (!isMetaKey(key)) throw invalid(`${at}: metadata key "${key}" is not known`, { field: at });
    if (feedOf(value) === undefined) assertValue(key, value, at);
  }
  return Object.fromEntries(entries);
}

/**
 * Checks a table that was pushed to a feed, like `readMeta`, but accepts other keys: a feed shows all pushed keys, and
 * filters ignore keys that are not metadata.
 */
export function readPushed(table: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> {
  let hasEmpty = false;
  for (const key of Object.keys(table)) {
    const value = table[key];
    if (value === null || value === undefined) hasEmpty = true;
    else if (isMetaKey(key)) assertValue(key, value, field ? `${field}.${key}` : key);
  }
  // a copy of thousands of new keys would hold up everybody
  return hasEmpty ? Object.fromEntries(valuesOf(table)) : table;
}

/** Ids of the feeds that a metadata table takes values from, each once. */
export const feedsOf = (table: Readonly<Record<string, unknown>>): string[] => [
  ...new Set(Object.values(table).flatMap((value) => feedOf(value) ?? [])),
];

/** The id in a value `{feed: id}`; undefined for a value of another form. */
export function feedOf(value: unknown): string | undefined {
  if (!isObject(value) || typeof value["feed"] !== "string" || Object.keys(value).length !== 1) return undefined;
  return value["feed"];
}

/** Both spellings of `loadavg`, which mean the same; other keys have one. */
export const spellingsOf = (key: string): readonly string[] =>
  key === "loadavg" || key === "loadAvg" ? ["loadavg", "loadAvg"] : [key];

export const isMetaKey = (key: string): key is MetaKey => Object.hasOwn(rows, key);

const valuesOf = (table: Readonly<Record<string, unknown>>) =>
  Object.entries(table).filter(([, value]) => value !== null && value !== undefined);

function assertValue(key: MetaKey, value: unknown, field: string): void {
  const { says, has } = rows[key].takes;
  if (!has(value)) throw invalid(`${field} must be ${says}`, { field });
}
