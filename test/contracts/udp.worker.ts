/** A thread with one UDP listener and a small service, for the contract suite. */
import { type MessagePort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { QueryService } from "../../src/net/socket/service.ts";
import type { SocketSource } from "../../src/net/socket/sockets.ts";
import { listenBatched } from "../../src/net/udp/batched.ts";
import { listenPortable } from "../../src/net/udp/portable.ts";

export interface EchoWorkerData {
  readonly listener: "batched" | "portable";
  readonly socket: SocketSource;
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly waker: number | undefined;
  readonly counts: Float64Array;
  readonly control: MessagePort;
}

/** The first octet of each query that is not simply echoed. */
export const ask = { silence: 1, fault: 2, control: 3, length: 4, overflow: 5, sleep: 6 } as const;

function makeService(control: MessagePort): QueryService {
  let latest = 0;
  return {
    begin() {
      for (let next = receiveMessageOnPort(control); next; next = receiveMessageOnPort(control)) latest = next.message;
    },
    answer(query, from, to, _, out, at, room) {
      const what = query[from];
      if (what === ask.silence) return 0;
      if (what === ask.fault) throw new Error("a fault in one query");
      if (what === ask.sleep) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5100);
      if (what === ask.overflow) return room + 1;
      if (what === ask.control || what === ask.length) {
        new DataView(out.buffer).setUint32(at, what === ask.control ? latest : to - from);
        return 4;
      }
      out.set(query.subarray(from, to), at);
      // an empty query is answered as well, so that its arrival is visible
      if (to === from) out[at] = 0;
      return Math.max(1, to - from);
    },
    end() {},
    failed() {},
  };
}

if (workerData?.listener) {
  const { listener, socket, stop, waker, counts, control }: EchoWorkerData = workerData;
  const listen = listener === "batched" ? listenBatched : listenPortable;
  await listen({
    socket,
    stop,
    waker,
    counts,
    service: makeService(control),
    onListening: (port) => control.postMessage(port),
  });
  control.close();
}
