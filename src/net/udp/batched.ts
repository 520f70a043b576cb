/** UDP by recvmmsg and sendmmsg: two system calls a batch, none a datagram. The loop owns its thread. */
import { Problem } from "../../lib/problem.ts";
import { libc, linux } from "../socket/libc.ts";
import { closeFd, localAddress, openUdp, setReceiveTimeout } from "../socket/sockets.ts";
import { Batch } from "./batch.ts";
import { type UdpOptions, udpCounts } from "./listener.ts";
import { batchSize, headerOctets } from "./mmsghdr.ts";

/** Bounds the wait without traffic, so that the stop flag is seen. */
const receiveTimeout = 250;

export async function listenBatched({ socket, service, stop, counts, onListening }: UdpOptions): Promise<void> {
  const fd = "fd" in socket ? socket.fd : openUdp(socket.address, socket.port);
  try {
    setReceiveTimeout(fd, receiveTimeout);
    const local = localAddress(fd);
    const batch = new Batch(local, counts);
    onListening?.(local.port);
    const pause = new Pause();
    while (Atomics.load(stop, 0) === 0) {
      const count = receive(fd, batch.received);
      if (pause.isLate(count)) {
        batch.skip(count);
        continue;
      }
      service.begin();
      const replies = count === 0 ? 0 : batch.answer(count, service);
      service.end();
      send(fd, batch.replies, replies, counts);
    }
  } finally {
    if (!("fd" in socket)) closeFd(fd);
  }
}

/** Milliseconds after which a client has given up, or asks again. */
const patience = 5000;
/** More datagrams than the socket's buffer holds. */
const mostLate = 16_384;

/**
 * A loop that was stopped, by a signal or a suspended machine, finds queries in its socket that it cannot tell the age
 * of: all that came before it went on are left out.
 */
class Pause {
  #seenAt = performance.now();
  /** Datagrams that may still be late. */
  #left = 0;

  /** Told of each return of the receiving call, which comes several times a second. */
  isLate(count: number): boolean {
    const now = performance.now();
    if (now - this.#seenAt > patience) this.#left = mostLate;
    this.#seenAt = now;
    if (this.#left === 0) return false;
    // a batch that is not full was all that there was
    this.#left = count < batchSize ? 0 : Math.max(0, this.#left - count);
    return true;
  }
}

/** Waits for a datagram and takes what else is there, but does not wait for a batch to fill. */
function receive(fd: number, messages: number): number {
  const count = libc().recvmmsg(fd, messages, batchSize, linux.MSG_WAITFORONE, 0);
  if (count >= 0) return count;
  const name = libc().nameOf(libc().errno());
  if (name === "EAGAIN" || name === "EWOULDBLOCK" || name === "EINTR") return 0;
  // anything else would come back at once, forever
  throw new Problem("internal", `recvmmsg: ${name}`);
}

/** These mean that the call was wrong, not that one datagram could not be sent. */
const fatal = new Set(["EBADF", "EFAULT", "ENOTSOCK"]);

/** sendmmsg stops at the first datagram that it cannot send and tells why when that is first: it is left out. */
function send(fd: number, messages: number, count: number, counts: Float64Array): void {
  for (let at = 0; at < count; ) {
    const sent = libc().sendmmsg(fd, messages + at * headerOctets, count - at, 0);
    if (sent > 0) {
      at += sent;
      continue;
    }
    const name = libc().nameOf(libc().errno());
    if (name === "EINTR") continue;
    if (fatal.has(name)) throw new Problem("internal", `sendmmsg: ${name}`);
    counts[udpCounts.unsent]!++;
    at++;
  }
}
