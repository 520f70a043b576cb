/** An edge's position in the configuration stream, before and after the first baseline. */
import type { Position, Subscription } from "../../sync/subscription.ts";
import type { EdgeState } from "./state.ts";

export interface ConfigurationStatus {
  readonly ready: boolean;
  /** The last applied revision. */
  readonly revision: number;
  /** Milliseconds since the edge was known to be current; 0 when it is. */
  readonly behind: number;
  readonly zones: number;
  readonly records: number;
}

/** `from`: position of the snapshot that the edge started from. */
export function watchFollowing(following: Promise<Subscription>, state: EdgeState, from: Position | undefined) {
  const began = from?.currentAt ?? Date.now();
  let subscription: Subscription | undefined;
  let ready = false;
  following.then(
    (made) => (subscription = made),
    () => {},
  );
  const behind = () => subscription?.behind ?? Math.max(0, Date.now() - began);
  return {
    /** Position of the image; undefined before the first image. */
    position(): Position | undefined {
      const { revision } = state;
      const { store } = subscription ?? from ?? {};
      return revision === undefined ? undefined : { revision, store, currentAt: Date.now() - behind() };
    },
    setReady() {
      ready = true;
    },
    get(): ConfigurationStatus {
      const { zones, records } = state.stats();
      return { ready, revision: state.revision ?? 0, behind: behind(), zones, records };
    },
  };
}
