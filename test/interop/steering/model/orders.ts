/** Filters that put answers in another order: by distance, by chance, by client, by value. */
import { areaOf, codes, hasCountry, hasPart } from "./fences.ts";
import { type Apply, type Item, type Items, orders, type Situation, sorted } from "./items.ts";
import { isYes } from "./meta.ts";
import { distance, middle, regions } from "./places.ts";

/** Nearer than any distance. */
const inCountry = -1;
const inPart = -2;

const targetCountry: Apply = (items, situation) => {
  if (items.length < 2) return [items];
  const { client } = situation;
  const key = (item: Item) => {
    const area = areaOf(item, situation);
    if (area === undefined) return undefined;
    if (hasPart(area, client)) return inPart;
    if (hasCountry(area, client)) return inCountry;
    const at = client.coordinates();
    const middles = [...area.countries.map((country) => middle(country)), ...area.parts.map((part) => middle(...part))];
    return at && Math.min(...middles.flatMap((place) => (place ? [distance(at, place)] : [])));
  };
  return [sorted(items, key)];
};

const targetRegion: Apply = (items, situation) => {
  if (items.length < 2) return [items];
  const key = (item: Item) => {
    const named = codes(situation.value(item, "georegion"));
    if (named === undefined) return undefined;
    const own = situation.client.georegion();
    if (own === undefined) return undefined;
    return named.includes(own)
      ? inCountry
      : Math.min(...named.map((region) => distance(regions[own]!, regions[region]!)));
  };
  return [sorted(items, key)];
};

const targetPoint: Apply = (items, situation) => {
  if (items.length < 2 || !situation.names("latitude") || !situation.names("longitude")) return [items];
  const at = situation.client.coordinates();
  const key = (item: Item) => {
    const [latitude, longitude] = [situation.number(item, "latitude"), situation.number(item, "longitude")];
    return at && latitude !== undefined && longitude !== undefined ? distance(at, { latitude, longitude }) : undefined;
  };
  return [sorted(items, key)];
};

/** Any order of the answers with weight, then the answers without weight in their previous order. */
function byWeight(items: Items, situation: Situation): Items[] {
  const isHeavy = (item: Item) => (situation.number(item, "weight") ?? 0) > 0;
  const light = items.filter((item) => !isHeavy(item));
  return orders(items.filter(isHeavy)).map((heavy) => [...heavy, ...light]);
}

/** Notes that the client's address, or its network, decides. */
const noteClient = ({ client }: Situation, config: Readonly<Record<string, unknown>>) =>
  client.network(isYes(config["sticky_by_network"]));

const stickyRegion: Apply = (items, situation, config) => {
  const isGrouped = situation.record.answers.some(({ region }) => region !== undefined);
  if (items.length < 2 || !isGrouped) return [items];
  noteClient(situation, config);
  const groups = Object.values(Object.groupBy(items, (item) => `region ${situation.region(item)}`));
  return orders(groups).map((order) => order.flatMap((group) => group ?? []));
};

const lowest =
  (name: string): Apply =>
  (items, situation, { eliminate }) => {
    const value = (item: Item) => situation.number(item, name);
    if (!isYes(eliminate)) return [sorted(items, value)];
    const least = Math.min(...items.map((item) => value(item) ?? Number.POSITIVE_INFINITY));
    return [least === Number.POSITIVE_INFINITY ? items : items.filter((item) => value(item) === least)];
  };

export const reorderings: Readonly<Record<string, Apply>> = {
  geotarget_country: targetCountry,
  geotarget_regional: targetRegion,
  geotarget_latlong: targetPoint,
  shuffle: (items) => orders(items),
  weighted_shuffle: byWeight,
  sticky: (items, situation, config) => {
    if (items.length > 1) noteClient(situation, config);
    return orders(items);
  },
  sticky_region: stickyRegion,
  weighted_sticky: (items, situation, config) => {
    if (items.length > 1 && situation.names("weight")) noteClient(situation, config);
    return byWeight(items, situation);
  },
  priority: lowest("priority"),
  cost: lowest("cost"),
};
