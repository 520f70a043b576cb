/** The values of feeds as they lie on disk: the first line says what they stand for, each other is a feed. */
import type { FeedState } from "../../answer/live/share.ts";
import type { Place } from "../../sync/subscription.ts";
import type { LineFormat } from "./line-snapshots.ts";

/** Values may be newer than `place` says: what is followed from there puts whole feeds again. */
interface LiveValues<States = Iterable<FeedState>> {
  readonly place: Place;
  readonly states: States;
}

export const liveLines: LineFormat<LiveValues, LiveValues<readonly FeedState[]>> = {
  name: "values",
  what: "the feeds' values",
  format: 1,
  head: ({ place }) => place,
  lines: ({ states }) => states,
  parse: ({ revision, store, currentAt }: Place, states: readonly FeedState[]) => ({
    place: { revision, store, currentAt },
    states,
  }),
};
