/** A steered RRset that is ready for use: its chain, and a copy of its records. */
import { recordLength, recordRdata, rrsetSteered } from "../image/memory/layout.ts";
import { readSteered } from "../image/rrset/steered.ts";
import type { RrsetView } from "../image/rrset/view.ts";
import type { ListMemory } from "../lists/list.ts";
import type { Selection } from "../model/selection.ts";
import { type Chain, type ChainNotes, compileChain, type Surroundings } from "./chain.ts";

const addressOctets = 4;

export class SteeredRrset {
  readonly chain: Chain;
  /** Microseconds that a query takes, as last measured. */
  cost = 0;
  /** Octets of its records and settings without lists. */
  readonly octets: number;
  readonly #lists: ListMemory;
  readonly #listsAt: number;
  readonly #records: Uint8Array;
  /** The offset of each record, and the end of the last. */
  readonly #starts: readonly number[];
  /** Record number by answer. */
  readonly #recordOf: readonly number[];

  /** `view` shows the RRset in the image. The chain calls `notes` while it runs. */
  constructor(view: RrsetView, surroundings: Surroundings, notes?: ChainNotes) {
    const { records, settings, lists, listsAt } = readSteered(view);
    this.#lists = lists;
    this.#listsAt = listsAt;
    this.bind(view);
    const starts = startsOf(records);
    const rdata = settings.records.map((at) => records.subarray(starts[at]! + recordRdata, starts[at + 1]!));
    this.chain = compileChain(settings, rdata, surroundings, notes);
    this.octets = listsAt;
    this.#records = records;
    this.#starts = starts;
    this.#recordOf = settings.records;
  }

  /** Says where the RRset is now in the image, with its lists. Call it before the chain runs. */
  bind({ octets, at }: RrsetView): void {
    this.#lists.octets = octets;
    this.#lists.at = at + this.#listsAt;
  }

  /** Shows the selected records in `view`, only the first if `most` is 1. `view.count` becomes their number, possibly 0. */
  show(selection: Selection, most: number, view: RrsetView): void {
    view.flags &= ~rrsetSteered;
    if (selection.count > 0 && (most === 1 || selection.count === 1) && selection.address(0) === undefined)
      this.#showFirst(selection, view);
    else this.#showAll(selection, view);
  }

  /** Shows one record without copying it, because `#records` never changes. */
  #showFirst(selection: Selection, view: RrsetView): void {
    const record = this.#recordOf[selection.answer(0)]!;
    view.octets = this.#records;
    view.at = this.#starts[record]!;
    view.end = this.#starts[record + 1]!;
    view.count = 1;
  }

  #showAll(selection: Selection, view: RrsetView): void {
    const records = this.#records;
    const room = records.length + selection.count * (recordRdata + addressOctets);
    if (view.spare.length < room) view.spare = new Uint8Array(room);
    const out = view.spare;
    const { marks } = selection;
    marks.fill(0, 0, view.count);
    let to = 0;
    let count = 0;
    for (let rank = 0; rank < selection.count; rank++) {
      const before = to;
      const address = selection.address(rank);
      if (address === undefined) {
        const record = this.#recordOf[selection.answer(rank)]!;
        if (marks[record] === 1) continue;
        marks[record] = 1;
        for (let at = this.#starts[record]!, end = this.#starts[record + 1]!; at < end; ) out[to++] = records[at++]!;
      } else {
        to = this.#putAddress(out, to, address);
      }
      if (isTwin(out, before, to, selection)) to = before;
      else count++;
    }
    view.octets = out;
    view.at = 0;
    view.end = to;
    view.count = count;
  }

  /** Writes a record that differs from the stored records only in its address; returns its end. */
  #putAddress(out: Uint8Array, at: number, address: number): number {
    for (let i = 0; i < recordRdata; i++) out[at + i] = this.#records[i]!;
    const rdata = at + recordRdata;
    out[at + recordLength] = 0;
    out[at + recordLength + 1] = addressOctets;
    for (let i = 0; i < addressOctets; i++) out[rdata + i] = address >>> (24 - 8 * i);
    return rdata + addressOctets;
  }
}

/** Whether the record at `from` repeats an earlier one. Only addresses that filters made can: stored records differ. */
function isTwin(out: Uint8Array, from: number, to: number, selection: Selection): boolean {
  if (!selection.hasMade) return false;
  const size = to - from;
  for (let other = 0; other < from; other += size) {
    let at = recordRdata;
    while (at < size && out[other + at] === out[from + at]) at++;
    if (at === size) return true;
  }
  return false;
}

function startsOf(records: Uint8Array): number[] {
  const starts = [0];
  for (let at = 0; at < records.length; ) {
    at += recordRdata + ((records[at + recordLength]! << 8) | records[at + recordLength + 1]!);
    starts.push(at);
  }
  return starts;
}
