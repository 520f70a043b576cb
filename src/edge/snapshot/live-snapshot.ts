/** The values of feeds on disk: the first line contains their position, each other line a feed. */
import type { FeedState } from "../../answer/live/share.ts";
import { isMetaKey } from "../../answer/model/meta.ts";
import type { Position } from "../../sync/subscription.ts";
import type { LineFormat } from "./line-snapshots.ts";

/** Values may be newer than `position`: the stream from there on sets whole feeds again. */
interface LiveValues<States = Iterable<FeedState>> {
  readonly position: Position;
  readonly states: States;
}

export const liveLines: LineFormat<LiveValues, LiveValues<readonly FeedState[]>> = {
  name: "values",
  what: "the feeds' values",
  format: 2,
  head: ({ position }) => position,
  lines: ({ states }) => states,
  parse: ({ revision, mark, store, currentAt }: Position, states: readonly FeedState[]) => ({
    position: { revision, mark, store, currentAt },
    states,
  }),
  earlier: {
    // keys that no record names could take all cells: without a store, the edge takes a baseline as soon as it can
    1: ({ revision, currentAt }: Position, states: readonly FeedState[]) => ({
      position: { revision, store: undefined, currentAt },
      states: states.map((state) => ({ ...state, data: known(state.data), fallback: known(state.fallback) })),
    }),
  },
};

const known = (table: FeedState["data"]) =>
  table && Object.fromEntries(Object.entries(table).filter(([key]) => isMetaKey(key)));
