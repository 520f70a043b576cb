/** The values of feeds on disk: the first line contains their position, each other line a feed. */
import type { FeedState } from "../../answer/live/share.ts";
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
  format: 1,
  head: ({ position }) => position,
  lines: ({ states }) => states,
  parse: ({ revision, store, currentAt }: Position, states: readonly FeedState[]) => ({
    position: { revision, store, currentAt },
    states,
  }),
};
