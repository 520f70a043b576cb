/** A server that turns queries into empty answers, over one of our listeners: `node bench/kit/echo.ts PORT [LISTENER]`. */
import { writeSync } from "node:fs";
import { listenBatched } from "../../src/net/udp/batched.ts";
import { listenPortable } from "../../src/net/udp/portable.ts";
import { Daemon, freePort } from "../../test/machine/processes.ts";
import { node } from "../../test/service/kit.ts";
import type { Contender } from "./contender.ts";
import { onServerCore } from "./cores.ts";

const listeners: Readonly<Record<string, typeof listenBatched>> = { batched: listenBatched, portable: listenPortable };
export type ListenerName = "batched" | "portable";

/** Starts the echo server as a separate process, on the server's core or on all cores. */
export async function startEcho(listener: ListenerName = "batched", isPinned = true): Promise<Contender> {
  const port = await freePort();
  const command = [node, import.meta.filename, `${port}`, listener];
  const [file, ...args] = isPinned ? onServerCore(command) : command;
  // in its own session, like an edge
  const daemon = new Daemon(file!, args, { detached: true });
  await daemon.until(() => daemon.printed.includes("listening"));
  return {
    name: listener,
    port,
    pids: () => [daemon.pid],
    // it may be inside a blocking call that waits for queries
    [Symbol.asyncDispose]: async () => void (await daemon.end("SIGKILL")),
  };
}

async function echo(run: typeof listenBatched, port: number): Promise<void> {
  await run({
    socket: { address: "127.0.0.1", port },
    stop: new Int32Array(new SharedArrayBuffer(4)),
    counts: new Float64Array(8),
    // synchronous, since the blocked event loop would never write it
    onListening: () => void writeSync(1, "listening\n"),
    service: {
      begin() {},
      answer(query, from, to, _, out, at) {
        for (let octet = from; octet < to; octet++) out[at + octet - from] = query[octet]!;
        out[at + 2]! |= 0x80;
        return to - from;
      },
      end() {},
      failed(error) {
        throw error;
      },
    },
  });
}

if (process.argv[1] === import.meta.filename) {
  const [, , port, listener = "batched"] = process.argv;
  await echo(listeners[listener]!, Number(port));
}
