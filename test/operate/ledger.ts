/** What clients have written, and whether what is stored afterwards can be true. */

/** The text of a record, or the value of a feed; undefined for what does not exist. */
export type Text = string | undefined;

interface Write {
  readonly text: Text;
  /** Milliseconds of `performance.now`; undefined without an acknowledgement. */
  acknowledged: number | undefined;
}

/** The milliseconds in which acknowledged writes may be lost. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export class Ledger {
  /** By name, in the order in which they were sent, after the state that was found last. */
  readonly #writes = new Map<string, Write[]>();
  /** The acknowledged writes since the last `settle`. */
  acknowledged = 0;

  /** Notes a write that is sent now; returns what notes its acknowledgement. */
  send(name: string, text: Text): () => void {
    const write: Write = { text, acknowledged: undefined };
    this.#of(name).push(write);
    return () => {
      write.acknowledged = performance.now();
      this.acknowledged++;
    };
  }

  /** What the name has according to the last write. */
  last(name: string): Text {
    return this.#of(name).at(-1)?.text;
  }

  /**
   * Compares with what is stored, which is taken as the state from which everything goes on. Returns the number of
   * acknowledged writes that are lost, and those that should not be.
   */
  settle(stored: ReadonlyMap<string, string>, may: Span | undefined): { lost: number; faults: string[] } {
    let lost = 0;
    const faults: string[] = [];
    for (const [name, writes] of this.#writes) {
      const found = stored.get(name);
      const at = writes.findLastIndex(({ text }) => text === found);
      if (at < 0) faults.push(`${name} has ${found}, which nobody wrote in this round`);
      for (const { text, acknowledged } of writes.slice(at + 1)) {
        if (acknowledged === undefined) continue;
        lost++;
        if (may && acknowledged >= may.from && acknowledged <= may.to) continue;
        faults.push(`${name}: ${text} was acknowledged, and ${found} is stored`);
      }
      writes.splice(0, writes.length, { text: found, acknowledged: undefined });
    }
    this.acknowledged = 0;
    return { lost, faults };
  }

  #of(name: string): Write[] {
    const known = this.#writes.get(name);
    if (known) return known;
    const writes: Write[] = [{ text: undefined, acknowledged: undefined }];
    this.#writes.set(name, writes);
    return writes;
  }
}
