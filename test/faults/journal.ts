/** The acknowledged state of each object that writers change, and the one write that may be in doubt. */

/** A written version; undefined for an object that does not exist. */
export type State = number | undefined;

/** A record, two records that are always written in one step, a zone, or a feed that is pushed to. */
export interface Thing {
  readonly kind: "record" | "pair" | "zone" | "feed";
  /** The zone of the object; for a feed, the id of its source. */
  readonly zone: string;
  readonly name: string;
}

interface Entry {
  readonly thing: Thing;
  acknowledged: State;
  /** Set between a request and its reply; remains if the reply never arrives. */
  doubt: { readonly state: State } | undefined;
}

export class Journal {
  readonly entries: readonly Entry[];
  acknowledged = 0;
  #version = 0;

  constructor(things: readonly Thing[]) {
    this.entries = things.map((thing) => ({ thing, acknowledged: undefined, doubt: undefined }));
  }

  nextVersion(): number {
    return ++this.#version;
  }

  begin(entry: Entry, state: State): void {
    entry.doubt = { state };
  }

  acknowledge(entry: Entry): void {
    entry.acknowledged = entry.doubt?.state;
    entry.doubt = undefined;
    this.acknowledged++;
  }

  /** Accepts the state found after a crash. Returns how it contradicts the journal, if it does. */
  settle(entry: Entry, found: State): string | undefined {
    const { acknowledged, doubt, thing } = entry;
    entry.acknowledged = found;
    entry.doubt = undefined;
    if (found === acknowledged || (doubt && found === doubt.state)) return undefined;
    const name = `${thing.kind} ${thing.name}`;
    const expected = doubt ? `${acknowledged} or ${doubt.state}` : `${acknowledged}`;
    return `${name}: ${expected} was acknowledged, ${found} is there`;
  }
}
