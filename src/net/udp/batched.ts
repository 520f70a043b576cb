/** UDP with recvmmsg and sendmmsg: two system calls per batch. The loop blocks its thread. */
import { Problem } from "../../lib/problem.ts";
import { libc, linux } from "../../lib/system/libc.ts";
import { LateTurns } from "../socket/late-work.ts";
import { closeFd, localAddress, openUdp, setReceiveTimeout } from "../socket/sockets.ts";
import { Batch } from "./batch.ts";
import { type UdpOptions, udpCounts } from "./listener.ts";
import { batchSize, headerOctets } from "./mmsghdr.ts";
import { SuspensionCheck } from "./suspension.ts";
import { IdleWait } from "./waker.ts";

/** Milliseconds to wait for a datagram in the receive call; after that in a call that `wake` can end. */
const receiveTimeout = 250;

/** Listens until it is stopped; nothing else runs in the thread. Rejects when the socket can no longer be used. */
export async function listenBatched({ socket, service, stop, waker, counts, onListening }: UdpOptions): Promise<void> {
  const fd = "fd" in socket ? socket.fd : openUdp(socket.address, socket.port);
  try {
    setReceiveTimeout(fd, receiveTimeout);
    const local = localAddress(fd);
    const batch = new Batch(local, counts);
    onListening?.(local.port);
    const suspension = new SuspensionCheck();
    const late = new LateTurns();
    const idle = waker === undefined ? undefined : new IdleWait(fd, waker);
    let flags: number = linux.MSG_WAITFORONE;
    let isWoken = true;
    while (Atomics.load(stop, 0) === 0) {
      const count = receive(fd, batch.received, flags);
      if (suspension.isLate(count)) batch.skip(count);
      else if (count > 0 || isWoken) {
        service.begin();
        const replies = count === 0 ? 0 : batch.answer(count, service);
        service.end();
        send(fd, batch.replies, replies, counts);
      }
      flags = linux.MSG_WAITFORONE;
      if (batch.hasLate) {
        // others may be waiting
        flags = linux.MSG_DONTWAIT;
        if (late.isNext(count > 0 && batch.answered > 0) && batch.recall()) {
          service.begin();
          const replies = batch.answerLate(service);
          service.end();
          send(fd, batch.replies, replies, counts);
          late.ended();
        }
        continue;
      }
      if (count > 0 || !idle) continue;
      isWoken = idle.wait();
      flags = linux.MSG_DONTWAIT;
    }
  } finally {
    if (!("fd" in socket)) closeFd(fd);
  }
}

/** Waits for a datagram, unless `flags` prevent that, and takes all datagrams that have arrived, at most a batch. */
function receive(fd: number, messages: number, flags: number): number {
  const count = libc().recvmmsg(fd, messages, batchSize, flags, 0);
  if (count >= 0) return count;
  const name = libc().nameOf(libc().errno());
  if (name === "EAGAIN" || name === "EWOULDBLOCK" || name === "EINTR") return 0;
  // any other error would repeat at once, forever
  throw new Problem("internal", `recvmmsg: ${name}`);
}

/** Errors of the call itself, not of a single datagram. */
const fatal = new Set(["EBADF", "EFAULT", "ENOTSOCK"]);

/** Sends the replies. sendmmsg stops before a datagram that it cannot send; the next call fails, and skips it. */
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
