/** A loop that runs in one process at a time: its turns hold a lease in the store, renewed as long as the loop runs. */
import type { Kysely } from "kysely";
import { newId } from "../lib/ids.ts";
import { type Loop, type LoopOptions, loop } from "../lib/loop.ts";
import { type Lease, releaseLease, takeLease } from "./lease.ts";
import type { Tables } from "./tables/index.ts";

export interface LeasedLoopOptions extends Omit<LoopOptions, "turn"> {
  readonly db: Kysely<Tables>;
  /** The name of this process; a new one when left out. */
  readonly holder?: string;
  /** The name of the lease, and how many milliseconds it lasts when it is not renewed. */
  readonly name: string;
  readonly leaseFor: number;
  /** Milliseconds after which the lease is renewed during a turn; after twice as long, turns wait for the renewal. */
  readonly renewAfter: number;
  /** No other process takes the lease: turns never wait for a renewal. */
  readonly isAlone?: boolean;
  readonly turn: (lease: Lease, signal: AbortSignal) => ReturnType<LoopOptions["turn"]>;
  /** Milliseconds between two attempts to get the lease; `every` when left out. */
  readonly tryEvery?: number;
  /** Called when this process gets the lease, and with undefined when another process has taken it. */
  readonly onLease?: (lease: Lease | undefined) => void;
  /** Ends the work that turns have begun. The lease is released afterwards. */
  readonly drain?: () => Promise<void>;
}

export interface LeasedLoop extends Loop {
  /** Whether this process holds the lease, as far as it knows. */
  isHolder(): boolean;
}

export function leasedLoop({ turn, ...options }: LeasedLoopOptions): LeasedLoop {
  const { db, name, leaseFor, renewAfter, isAlone = false, holder = newId() } = options;
  const { tryEvery = options.every, onLease = () => {} } = options;
  let lease: Lease | undefined;
  /** The last lease from the store, which may still be valid there when `lease` is no longer trusted. */
  let given: Lease | undefined;
  /** The token of the lease in the last call of `onLease`. */
  let token: number | undefined;
  let renewAt = 0;
  let renewing: Promise<void> | undefined;

  const renew = async () => {
    const next = performance.now() + renewAfter;
    lease = await takeLease(db, name, holder, leaseFor);
    given = lease;
    renewAt = next;
    if (lease?.token !== token) onLease(lease);
    token = lease?.token;
  };

  const hold = async (): Promise<Lease | undefined> => {
    const overdue = performance.now() - renewAt;
    if (lease && overdue < 0) return lease;
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    if (!lease || (overdue > renewAfter && !isAlone)) await renewing;
    else renewing.catch(() => (lease = undefined));
    return lease;
  };

  const running = loop({
    ...options,
    async turn(signal) {
      try {
        const held = await hold();
        return held ? await turn(held, signal) : tryEvery;
      } catch (error) {
        // the lease is taken again, since a turn also fails when the lease was lost
        lease = undefined;
        throw error;
      }
    },
  });

  return {
    wake: () => running.wake(),
    isHolder: () => lease !== undefined,
    async close() {
      await running.close();
      await options.drain?.();
      await renewing?.catch(() => {});
      // otherwise the next holder waits until the lease ends
      if (given) await releaseLease(db, given).catch(() => {});
    },
  };
}
