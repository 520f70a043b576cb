/** The thread that reads and composes zones for transfers, at a low priority: queries go first. */
import { parentPort, workerData } from "node:worker_threads";
import { MeasuredInput, usualFloor } from "../../lib/fair/measured-input.ts";
import { lowerThread } from "../../lib/system/priority.ts";
import type { OpenZone } from "../../sync/zone.ts";
import { type TransferRequest, Transfers, type TransfersOptions } from "./transfers.ts";

/** Orders to the thread; each transfer has a number. */
export type SendingOrder =
  | { readonly kind: "begin"; readonly id: number; readonly request: TransferRequest }
  /** A message was taken: one more may be composed. */
  | { readonly kind: "taken"; readonly id: number }
  /** The client is gone. */
  | { readonly kind: "stop"; readonly id: number };

export type Sent =
  | { readonly kind: "message"; readonly id: number; readonly octets: Uint8Array }
  | { readonly kind: "end"; readonly id: number }
  /** The transfer cannot be completed. */
  | { readonly kind: "failed"; readonly id: number; readonly reason: string };

/** Maximum messages of a transfer that are composed in advance. */
const inAdvance = 4;

/** `left`: messages that may be composed now. `wake` is called when it grows, and when the transfer is stopped. */
interface Progress {
  left: number;
  isStopped: boolean;
  wake: () => void;
}

const port = parentPort!;
const { zones, most }: TransfersOptions = workerData;
const { openZone }: { readonly openZone: OpenZone } = await import(zones.module);
const transfers = new Transfers(({ account_id, zone_id }) => openZone(zones.options, account_id, zone_id), most);
const running = new Map<number, Progress>();

port.on("message", (order: SendingOrder) => {
  const { id } = order;
  const progress = running.get(id);
  if (order.kind === "begin") return void send(id, order.request);
  if (!progress) return;
  if (order.kind === "taken") progress.left++;
  else progress.isStopped = true;
  progress.wake();
});
lowerThread();

async function send(id: number, request: TransferRequest): Promise<void> {
  const progress: Progress = { left: inAdvance, isStopped: false, wake() {} };
  const speed = new MeasuredInput(usualFloor, tooSlow);
  speed.signal.addEventListener("abort", () => progress.wake());
  running.set(id, progress);
  try {
    for await (const octets of transfers.run(request, speed)) {
      if (progress.isStopped) break;
      const { length } = octets;
      post({ kind: "message", id, octets }, ownMemory(octets));
      progress.left--;
      if (progress.left === 0) await speed.wait(new Promise<void>((resolve) => (progress.wake = resolve)), length);
      progress.wake = () => {};
      if (progress.isStopped) break;
      speed.signal.throwIfAborted();
    }
    post({ kind: "end", id });
  } catch (error) {
    post({ kind: "failed", id, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}

const tooSlow = () => new Error("the client reads too slowly while zones of other accounts wait for its slot");

const post = (sent: Sent, memory: readonly ArrayBuffer[] = []) => port.postMessage(sent, memory);

/** Memory that only the message uses, which is transferred instead of copied. */
const ownMemory = ({ buffer, byteLength }: Uint8Array) =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
