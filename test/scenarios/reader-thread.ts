/** A thread that reads an image as a worker does, without an event loop, and checks that change sets appear whole. */
import { type MessagePort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { ImageShare } from "../../src/answer/image/memory/share.ts";
import { ImageReader } from "../../src/answer/image/reader.ts";
import { createServe } from "../../src/edge/serve/serve.ts";
import { parseAnswer, queryOf } from "./image.ts";

export interface ReaderData {
  readonly share: ImageShare;
  readonly slot: number;
  /** Brings the image's share again each time that the image grows. */
  readonly grown: MessagePort;
  readonly report: MessagePort;
  /** Int32s: 1 in the first ends the threads; in the slots after it, each thread counts the changes that it saw. */
  readonly flags: SharedArrayBuffer;
}

export interface ReaderReport {
  readonly batches: number;
  readonly faults: readonly string[];
}

const { share, slot, grown, report, flags } = workerData as ReaderData;
const reader = new ImageReader(share, slot, () => {
  for (let next = receiveMessageOnPort(grown); next; next = receiveMessageOnPort(grown)) reader.update(next.message);
});
const faults: string[] = [];
const serve = createServe(reader, { onFault: (fault) => faults.push(String(fault)) });
const out = new Uint8Array(4096);
const client = { family: 4, address: new Uint8Array(4), port: 1 } as const;

function ask(name: string, type: string): string {
  const query = queryOf({ name, type, edns: 4096 });
  const answer = parseAnswer(out.slice(0, serve(query, 0, query.length, client, "udp", out, 0, out.length)));
  return [answer.rcode, ...answer.answer].join(" ");
}

/** The number that the writer put into each change set: in two names, in the serial, and in the existence of a name. */
function readBatch(): string {
  reader.enter();
  try {
    const first = /"(\d+)"/.exec(ask("first.example.com.", "TXT"))?.[1];
    const soa = ask("example.com.", "SOA").split(" ")[6];
    const turn = ask(`turn${Number(first) % 2}.example.com.`, "A").split(" ")[0];
    const other = ask(`turn${(Number(first) + 1) % 2}.example.com.`, "A").split(" ")[0];
    ask(`h${Number(first) % 1000}.deep.example.com.`, "TXT");
    const second = /"(\d+)"/.exec(ask("second.sub.example.com.", "TXT"))?.[1];
    if (first !== second || first !== soa || turn !== "NOERROR" || other !== "NXDOMAIN") {
      faults.push(`first ${first}, second ${second}, serial ${soa}, turn ${turn}, other ${other}`);
    }
    return first ?? "";
  } finally {
    reader.leave();
  }
}

let batches = 0;
let last = "";
for (const shared = new Int32Array(flags); Atomics.load(shared, 0) === 0 && faults.length < 5; batches++) {
  const number = readBatch();
  if (number !== last) Atomics.add(shared, slot, 1);
  last = number;
}
report.postMessage({ batches, faults } satisfies ReaderReport);
