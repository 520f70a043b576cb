/** The thread that reads and composes the zones that others transfer: whoever asks a question goes before it. */
import { parentPort, workerData } from "node:worker_threads";
import { lowerThread } from "../../lib/priority.ts";
import { type TransferRequest, Transfers, type TransfersOptions } from "./transfers.ts";

/** What the thread is told of each transfer, under a number. */
export type SendingOrder =
  | { readonly kind: "begin"; readonly id: number; readonly request: TransferRequest }
  /** A message was taken: there may be one more. */
  | { readonly kind: "taken"; readonly id: number }
  /** The client is gone. */
  | { readonly kind: "stop"; readonly id: number };

export type Sent =
  | { readonly kind: "message"; readonly id: number; readonly octets: Uint8Array }
  | { readonly kind: "end"; readonly id: number }
  /** It cannot be completed. */
  | { readonly kind: "failed"; readonly id: number; readonly reason: string };

/** Messages of a transfer that nobody has taken yet, at most. */
const inAdvance = 4;

/** How many more messages a transfer may say, and what is called when there may be more, or none. */
interface Course {
  left: number;
  isStopped: boolean;
  wake: () => void;
}

const port = parentPort!;
const options: TransfersOptions = workerData;
const transfers = new Transfers(options);
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

/** What is a message's alone changes hands. */
const ownMemory = ({ buffer, byteLength }: Uint8Array) =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
