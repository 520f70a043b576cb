/** Wakes a listener that waits for datagrams in a system call (eventfd(2)). */
import { readSync, writeSync } from "node:fs";
import { hasLibc, libc, linux } from "../../lib/system/libc.ts";
import { pin } from "./mmsghdr.ts";

/** Opens the descriptor through which a listener is woken; undefined where the system has none. */
export function openWaker(): number | undefined {
  const descriptor = hasLibc() ? libc().eventfd(0, linux.EFD_CLOEXEC) : -1;
  return descriptor < 0 ? undefined : descriptor;
}

/** Ends the listener's current wait, otherwise the next one. */
export function wake(waker: number): void {
  writeSync(waker, new BigUint64Array([1n]));
}

/** Milliseconds; a listener looks at its clock this often. */
const longestIdle = 2000;

/** Waits for datagrams or a call of `wake`. */
export class IdleWait {
  readonly #waker: number;
  /** Two of struct pollfd: a descriptor, then the wanted events and the events that occurred, in 16 bits each. */
  readonly #descriptors;

  constructor(socket: number, waker: number) {
    this.#waker = waker;
    this.#descriptors = pin(16);
    new Int32Array(this.#descriptors.memory).set([socket, linux.POLLIN, waker, linux.POLLIN]);
  }

  /** Returns whether `wake` was called. */
  wait(): boolean {
    const { memory, address } = this.#descriptors;
    if (libc().poll(address, 2, longestIdle) <= 0 || new Uint16Array(memory)[7] === 0) return false;
    readSync(this.#waker, new BigUint64Array(1));
    return true;
  }
}
