/** The thread that parses a large zone, message by message, and composes it for the store. */
import { workerData } from "node:worker_threads";
import { type TransferLimits, type TransferQuery, TransferReader } from "../../../dns/transfer/reply.ts";
import type { LoadHead, LoadSlice } from "../../../storage/loads.ts";
import { SliceWriter } from "../../zonefiles/loading/slices.ts";
import { LoadingWorker } from "../../zonefiles/loading/worker.ts";
import { Folding } from "./folding.ts";

export interface TransferData {
  readonly asked: TransferQuery;
  readonly limits: TransferLimits;
  readonly head: LoadHead;
}

/** Records of an RRset that is already in a slice. */
export interface ReturnedRrset {
  readonly domain: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: readonly Uint8Array[];
}

/** Defined once the transfer is complete. */
export type Returned = readonly ReturnedRrset[] | undefined;

const { asked, limits, head }: TransferData = workerData;
const worker = new LoadingWorker<Uint8Array, LoadSlice, Returned>();
const reader = new TransferReader(asked, limits);
const slices = new SliceWriter(head);
const folding = new Folding((rrset) => slices.add(rrset));

worker.serve(async (message) => {
  reader.take(message);
  for (const record of reader.drain()) {
    folding.add(record);
    if (slices.isFull) await pass();
  }
  if (!reader.isComplete) return undefined;
  folding.end();
  if (!slices.isEmpty) await pass();
  const returned = [...folding.returned.rrsets.values()].flatMap((rrset) => rrset ?? []);
  return returned.map(({ domain, type, ttl, data }) => ({ domain, type: type.code, ttl, rdata: [...data.values()] }));
});

async function pass(): Promise<void> {
  const slice = slices.take();
  await worker.step(slice, slice);
}
