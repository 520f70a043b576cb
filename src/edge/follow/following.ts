/** What is known about an edge's following of its configuration, before the first baseline and after. */
import type { Place, Subscription } from "../../sync/subscription.ts";
import type { EdgeState } from "./state.ts";

export interface ConfigurationStatus {
  readonly ready: boolean;
  /** Applied last. */
  readonly revision: number;
  /** Milliseconds since the edge was known to be current; 0 when it is. */
  readonly behind: number;
  readonly zones: number;
  readonly records: number;
}

/** `from`: what was kept when the edge ended. */
export function watchFollowing(following: Promise<Subscription>, state: EdgeState, from: Place | undefined) {
  const began = from?.currentAt ?? Date.now();
  let subscription: Subscription | undefined;
  let ready = false;
  following.then(
    (made) => (subscription = made),
    () => {},
  );
  const behind = () => subscription?.behind ?? Math.max(0, Date.now() - began);
  return {
    /** What the image stands for; undefined before there is one. */
    place(): Place | undefined {
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
