/** Something that an operator does, or that happens to an installation. */
import type { Installation } from "../installation.ts";

export interface Event {
  readonly name: string;
  /** What may be lost of the acknowledged writes: nothing, or those since `prepare` began, until the event is over. */
  readonly loses: "nothing" | "later writes";
  /** Only root can do this. */
  readonly needsRoot?: true;
  /**
   * Makes what the event needs, at the moment to which the store goes back, if it does; `round` is a name for files.
   * Returns what then happens, after which the installation takes writes again by itself.
   */
  prepare(installation: Installation, round: string): Promise<() => Promise<void>>;
}

/** An event that needs no preparation, and loses nothing. */
export const simple = (name: string, act: (installation: Installation) => Promise<void>): Event => ({
  name,
  loses: "nothing",
  prepare: async (installation) => () => act(installation),
});
