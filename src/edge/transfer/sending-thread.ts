/** The thread that reads and composes zones for transfers, at a low priority: queries go first. */
import { parentPort, workerData } from "node:worker_threads";
import { lowerThread } from "../../lib/priority.ts";
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

/** Messages of a transfer that are composed in advance, at most. */
const inAdvance = 4;

/** Number of messages that a transfer may still compose; `wake` is called when it grows, or the transfer is stopped. */
interface Course {
  left: number;
  isStopped: boolean;
  wake: () => void;
}

const port = parentPort!;
const { zones, most }: TransfersOptions = workerData;
const { openZone }: { readonly openZone: OpenZone } = await import(zones.module);
const transfers = new Transfers(({ account_id, zone_id }) => openZone(zones.options, account_id, zone_id), most);
const courses = new Map<number, Course>();

port.on("message", (order: SendingOrder) => {
  const { id } = order;
  const course = courses.get(id);
  if (order.kind === "begin") return void send(id, order.request);
  if (!course) return;
  if (order.kind === "taken") course.left++;
  else course.isStopped = true;
  course.wake();
});
lowerThread();

async function send(id: number, request: TransferRequest): Promise<void> {
  const course: Course = { left: inAdvance, isStopped: false, wake() {} };
  courses.set(id, course);
  try {
    for await (const octets of transfers.run(request)) {
      if (course.isStopped) break;
      say({ kind: "message", id, octets }, ownMemory(octets));
      course.left--;
      if (course.left === 0) await new Promise<void>((resolve) => (course.wake = resolve));
      course.wake = () => {};
      if (course.isStopped) break;
    }
    say({ kind: "end", id });
  } catch (error) {
    say({ kind: "failed", id, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    courses.delete(id);
  }
}

const say = (sent: Sent, memory: readonly ArrayBuffer[] = []) => port.postMessage(sent, memory);

/** Memory that only the message uses, which is transferred instead of copied. */
const ownMemory = ({ buffer, byteLength }: Uint8Array) =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
