/** The registry of metadata keys: what each means, its category, and which values it takes. One row each. */
import ipaddr from "ipaddr.js";
import { invalid, notBuilt } from "../lib/problem.ts";
import { countries, georegions, subdivisions } from "./places.ts";

interface MetaRow {
  readonly category: "status" | "geographical" | "informational" | "network" | "traffic_parameters" | "other";
  readonly shortdesc: string;
  /** HTML. */
  readonly desc: string;
  readonly takes: Kind;
}

/** A kind of value: what it is in words, for messages, and whether a value is one. */
interface Kind {
  readonly says: string;
  readonly has: (value: unknown) => boolean;
}

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
    takes: kind("true or false, 1 or 0", (value) =>
      [true, false, 0, 1, "0", "1", "true", "false"].some((is) => is === value),
    ),
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
  loadAvg: loadavg,
  pulsar: {
    category: "status",
    shortdesc: "Pulsar job",
    desc: "Jobs whose measurements steer the answer. Kept, and without effect until there are measurements.",
    takes: either(
      text(4096),
      list(
        1000,
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
    desc: `Coarse regions of the world: ${georegions.map((code) => `<code>${code}</code>`).join(", ")}.`,
    takes: list(georegions.length, oneOf("a georegion", georegions)),
  },
  country: {
    category: "geographical",
    shortdesc: "Country/countries",
    desc: "Countries by their two letters in ISO 3166-1, such as <code>DE</code>.",
    takes: list(1000, oneOf("a country code of ISO 3166-1", countries)),
  },
  us_state: {
    category: "geographical",
    shortdesc: "US State(s)",
    desc: "States of the USA by their two letters, such as <code>CA</code>. Do not name <code>US</code> as country beside them.",
    takes: list(1000, oneOf("a US state", subdivisions.get("US") ?? [])),
  },
  ca_province: {
    category: "geographical",
    shortdesc: "Canadian province(s)",
    desc: "Provinces of Canada by their two letters, such as <code>ON</code>. Do not name <code>CA</code> as country beside them.",
    takes: list(1000, oneOf("a Canadian province", subdivisions.get("CA") ?? [])),
  },
  subdivisions: {
    category: "geographical",
    shortdesc: "Subdivisions",
    desc: 'Parts of countries by their codes in ISO 3166-2: <code>{"BR": ["SP", "SC"]}</code>.',
    takes: kind("an object of country codes, each with an array of its ISO 3166-2 codes", areSubdivisions),
  },
  note: {
    category: "informational",
    shortdesc: "Notes",
    desc: "Any text for people and programs, up to 256 characters.",
    takes: text(256),
  },
  ip_prefixes: {
    category: "network",
    shortdesc: "IP Prefix List",
    desc: "Networks in CIDR notation, IPv4 and IPv6, up to 1000.",
    takes: list(1000, kind("a prefix such as 192.0.2.0/24", isPrefix)),
  },
  asn: {
    category: "network",
    shortdesc: "AS Number(s)",
    desc: "Numbers of autonomous systems, up to 1000.",
    takes: list(
      1000,
      kind("an AS number", (value) => isNumeric(value, 0, 0xffffffff) && Number.isInteger(Number(value))),
    ),
  },
  priority: {
    category: "traffic_parameters",
    shortdesc: "Priority tier value",
    desc: "The lower, the sooner the answer is chosen.",
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
    desc: "The lower, the sooner the answer is chosen.",
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
    desc: "One object that the filter of the same name adds to answers as text.",
    takes: kind(
      "an array with exactly one object, up to 4096 octets of JSON",
      (value) =>
        Array.isArray(value) && value.length === 1 && isObject(value[0]) && JSON.stringify(value).length <= 4096,
    ),
  },
} as const satisfies Record<string, MetaRow>;

export type MetaKey = keyof typeof rows;

/** Every key, also in its second spelling. */
export const metaKeys: Readonly<Record<MetaKey, MetaRow>> = rows;

/**
 * Checks a metadata table from a request and returns it as it is to be stored: as it was sent, without keys that are
 * null. Throws a Problem that names `field` and the key.
 */
export function readMeta(table: Readonly<Record<string, unknown>>, field: string): Record<string, unknown> {
  const entries = Object.entries(table).filter(([, value]) => value !== null && value !== undefined);
  for (const [key, value] of entries) assertValue(key, value, `${field}.${key}`);
  return Object.fromEntries(entries);
}

function assertValue(key: string, value: unknown, field: string): void {
  if (!isMetaKey(key)) throw invalid(`${field}: metadata key "${key}" is not known`, { field });
  if (isObject(value) && "feed" in value) throw notBuilt(`${field}: data feeds are not built yet`, { field });
  const { says, has } = rows[key].takes;
  if (!has(value)) throw invalid(`${field} must be ${says}`, { field });
}

const isMetaKey = (key: string): key is MetaKey => Object.hasOwn(rows, key);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function kind(says: string, has: Kind["has"]): Kind {
  return { says, has };
}

function text(longest: number): Kind {
  return kind(`text of up to ${longest} characters`, (value) => typeof value === "string" && value.length <= longest);
}

/** Numbers also arrive as text, and are returned as they came. */
function number(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): Kind {
  const range = most < Infinity ? ` from ${least} to ${most}` : least > -Infinity ? ` of at least ${least}` : "";
  return kind(`a number${range}`, (value) => isNumeric(value, least, most));
}

function integer(least: number): Kind {
  const whole = (value: unknown) => isNumeric(value, least, Number.MAX_SAFE_INTEGER) && Number.isInteger(Number(value));
  return kind(`a whole number of at least ${least}`, whole);
}

function isNumeric(value: unknown, least: number, most: number): boolean {
  if (typeof value === "string" && !/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return false;
  if (typeof value !== "string" && typeof value !== "number") return false;
  return Number.isFinite(Number(value)) && Number(value) >= least && Number(value) <= most;
}

function oneOf(what: string, codes: readonly string[]): Kind {
  const known = new Set(codes);
  return kind(what, (value) => typeof value === "string" && known.has(value.toUpperCase()));
}

/** An array, or one element without it. */
function list(most: number, of: Kind): Kind {
  return kind(`an array, up to ${most} long, each ${of.says}`, (value) =>
    Array.isArray(value) ? value.length <= most && value.every(of.has) : of.has(value),
  );
}

function either(one: Kind, other: Kind): Kind {
  return kind(`${one.says}, or ${other.says}`, (value) => one.has(value) || other.has(value));
}

function areSubdivisions(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([country, codes]) => {
    const known = subdivisions.get(country.toUpperCase());
    return (
      Array.isArray(codes) && known !== undefined && codes.every((code) => known.includes(String(code).toUpperCase()))
    );
  });
}

function isPrefix(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const [address = "", length] = value.split("/");
  const v4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (!v4 && (address.includes("%") || !ipaddr.IPv6.isValid(address))) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (v4 ? 32 : 128));
}
