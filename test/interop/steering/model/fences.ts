/** Filters that remove answers which are meant for other clients. */
import { type Block, blockOf } from "./address.ts";
import type { ModelClient } from "./client.ts";
import type { Apply, Item, Situation } from "./items.ts";
import { elements, isYes } from "./meta.ts";

/**
 * Answers for other clients are removed; untagged ones remain unless the flag is on and an answer is for the client.
 * `tag` is undefined for an untagged answer.
 */
function fence<Tag>(
  flag: string,
  tag: (item: Item, situation: Situation) => Tag | undefined,
  isFor: (tag: Tag, client: ModelClient) => boolean,
): Apply {
  return (items, situation, config) => {
    const judged = items.map((item) => {
      const own = tag(item, situation);
      return { item, own, isMatch: own !== undefined && isFor(own, situation.client) };
    });
    const dropsUntagged = isYes(config[flag]) && judged.some(({ isMatch }) => isMatch);
    const stays = judged.filter(({ own, isMatch }) => (own === undefined ? !dropsUntagged : isMatch));
    return [stays.map(({ item }) => item)];
  };
}

/** Codes in capital letters; undefined without any. */
export function codes(value: unknown): readonly string[] | undefined {
  const found = elements(value).flatMap((code) => (typeof code === "string" ? [code.toUpperCase()] : []));
  return found.length > 0 ? found : undefined;
}

export interface Area {
  readonly countries: readonly string[];
  /** Parts of countries, each with its country. */
  readonly parts: readonly (readonly [country: string, part: string])[];
}

/** The places that an answer names with its four location keys; undefined if it names none. */
export function areaOf(item: Item, situation: Situation): Area | undefined {
  const list = (key: string) => codes(situation.value(item, key)) ?? [];
  const subdivisions = Object.entries((situation.value(item, "subdivisions") ?? {}) as Record<string, unknown>);
  const area = {
    countries: list("country"),
    parts: [
      ...list("us_state").map((part) => ["US", part] as const),
      ...list("ca_province").map((part) => ["CA", part] as const),
      ...subdivisions.flatMap(([country, parts]) =>
        (codes(parts) ?? []).map((part) => [country.toUpperCase(), part] as const),
      ),
    ],
  };
  return area.countries.length + area.parts.length > 0 ? area : undefined;
}

export const hasCountry = ({ countries }: Area, client: ModelClient) =>
  countries.length > 0 && countries.some((country) => country === client.country());

/** Subdivisions are compared only in the client's own country. */
export function hasPart({ parts }: Area, client: ModelClient): boolean {
  if (parts.length === 0) return false;
  const here = parts.filter(([country]) => country === client.country());
  return here.length > 0 && here.some(([, part]) => part === client.subdivision());
}

/** Networks of an answer; undefined without any. */
export function blocksOf(value: unknown): readonly Block[] | undefined {
  const blocks = elements(value).map((prefix) => blockOf(String(prefix)));
  return blocks.length > 0 ? blocks : undefined;
}

/** 0 is no AS number. */
function systems(value: unknown): readonly number[] | undefined {
  const numbers = elements(value)
    .map(Number)
    .filter((number) => number > 0);
  return numbers.length > 0 ? numbers : undefined;
}

export const fences: Readonly<Record<string, Apply>> = {
  geofence_country: fence(
    "remove_no_location",
    areaOf,
    (area, client) => hasCountry(area, client) || hasPart(area, client),
  ),
  geofence_regional: fence(
    "remove_no_georegion",
    (item, situation) => codes(situation.value(item, "georegion")),
    (regions, client) => regions.some((region) => region === client.georegion()),
  ),
  netfence_asn: fence(
    "remove_no_asn",
    (item, situation) => systems(situation.value(item, "asn")),
    (numbers, client) => numbers.some((number) => number === client.asn()),
  ),
  netfence_prefix: fence(
    "remove_no_ip_prefixes",
    (item, situation) => blocksOf(situation.value(item, "ip_prefixes")),
    (blocks, client) => client.isIn(blocks),
  ),
};
