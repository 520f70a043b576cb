/** For chains that run without data: no facts about clients, no coordinates of places, no values of feeds. */
import type { ClientFacts } from "../../lib/facts.ts";
import type { Locate } from "../filters/contract/client.ts";
import type { LiveValues } from "../filters/contract/column.ts";
import type { Atlas } from "../filters/contract/filter.ts";

const nothing: ClientFacts = {
  country: undefined,
  subdivision: undefined,
  georegion: undefined,
  asn: undefined,
  latitude: undefined,
  longitude: undefined,
  lengths: { country: 0, subdivision: 0, georegion: 0, asn: 0, coordinates: 0 },
};

export const locateNobody: Locate = () => nothing;

export const emptyAtlas: Atlas = { centre: () => undefined };

export const noFeeds: LiveValues = {
  generation: 0,
  cell: () => -1,
  number: () => Number.NaN,
  value: () => undefined,
  pushedAt: () => Number.NaN,
  changedAt: () => Number.NaN,
};
