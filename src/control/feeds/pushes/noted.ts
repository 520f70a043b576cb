/** The last pushes of sources and feeds that are not in the store yet, within a share of memory for each account. */
import type { PushNote } from "../../../storage/tables/feeds.ts";
import { mostKept, type NewPushes, type PushPlace } from "./recent-store.ts";

/** Octets of the notes of all accounts. While several accounts push, each has an equal share; one alone has a quarter. */
export const mostNoted = 16 * 1024 * 1024;
const leastShares = 4;
/** Approximate octets of a note, and of a source or feed, besides texts. */
const overhead = 200;

/** A push as it is kept in memory: its JSON is composed later, since most notes are replaced before. */
export interface Noted extends Omit<PushNote, "values"> {
  /** The values as JSON. */
  readonly text: string | undefined;
}

interface Ring extends PushPlace {
  /** Oldest first. */
  readonly notes: Noted[];
}

interface Account {
  octets: number;
  readonly rings: Map<string, Ring>;
}

export class NotedPushes {
  /** In the order of their next turns. */
  readonly #accounts = new Map<string, Account>();

  get isEmpty(): boolean {
    return this.#accounts.size === 0;
  }

  /** Adds a note about a source or feed. An account without room loses what has waited longest. */
  add(account_id: string, source_id: string, id: string, note: Noted): void {
    const account = this.#accounts.get(account_id) ?? this.#begin(account_id);
    const ring = account.rings.get(id) ?? beginRing(account, { account_id, source_id, id });
    ring.notes.push(note);
    account.octets += sizeOf(note);
    if (ring.notes.length > mostKept) account.octets -= sizeOf(ring.notes.shift()!);
    if (account.octets > mostNoted / Math.max(leastShares, this.#accounts.size)) this.#shrink(account);
  }

  #begin(account_id: string): Account {
    const account = { octets: 0, rings: new Map<string, Ring>() };
    this.#accounts.set(account_id, account);
    return account;
  }

  #shrink(account: Account): void {
    const share = mostNoted / Math.max(leastShares, this.#accounts.size);
    for (const oldest of account.rings.values()) {
      if (account.octets <= share || account.rings.size === 1) break;
      remove(account, oldest);
    }
  }

  /** The notes of a source or feed, newest first. */
  of({ account_id, id }: PushPlace): readonly Noted[] {
    return this.#accounts.get(account_id)?.rings.get(id)?.notes.toReversed() ?? [];
  }

  /** Removes and returns at most `most` sources and feeds, of each account at most `mostOfOne`. Accounts take turns. */
  take(most: number, mostOfOne: number): Ring[] {
    const taken: Ring[] = [];
    for (const [account_id, account] of [...this.#accounts]) {
      if (taken.length >= most) break;
      const some = [...account.rings.values()].slice(0, Math.min(mostOfOne, most - taken.length));
      for (const ring of some) remove(account, ring);
      taken.push(...some);
      // behind the other accounts
      this.#accounts.delete(account_id);
      if (account.rings.size > 0) this.#accounts.set(account_id, account);
    }
    return taken;
  }

  /** Puts back what could not be stored; later notes stay behind it. */
  giveBack(rings: readonly Ring[]): void {
    for (const ring of rings) {
      const later = this.#accounts.get(ring.account_id)?.rings.get(ring.id);
      const notes = [...ring.notes, ...(later?.notes ?? [])].slice(-mostKept);
      if (later) remove(this.#accounts.get(ring.account_id)!, later);
      for (const note of notes) this.add(ring.account_id, ring.source_id, ring.id, note);
    }
  }
}

function beginRing(account: Account, place: PushPlace): Ring {
  const ring = { ...place, notes: [] };
  account.rings.set(place.id, ring);
  account.octets += overhead;
  return ring;
}

function remove(account: Account, ring: Ring): void {
  account.rings.delete(ring.id);
  account.octets -= ring.notes.reduce((sum, note) => sum + sizeOf(note), overhead);
}

const sizeOf = ({ text, message }: Noted) => overhead + (text?.length ?? 0) + (message?.length ?? 0);

export const rowOf = ({ notes, ...place }: Ring): NewPushes => ({
  ...place,
  pushes: `[${notes.toReversed().map(composeNote).join()}]`,
});

/** The note as JSON; its values are as they were sent. */
export function composeNote({ text, ...note }: Noted): string {
  const json = JSON.stringify(note);
  return text === undefined ? json : `${json.slice(0, -1)},"values":${text}}`;
}
