/** Whether the streams of changes and live values are whole, and the serials of zones are those of their last changes. */
import type { BulkConnection } from "../../../../storage/connection/bulk.ts";
import { Findings } from "./findings.ts";
import {
  type Break,
  breaksText,
  headOf,
  type StreamTable,
  type WrongSerial,
  wrongSerialsText,
  wrongVersionsText,
} from "./store.ts";

const streams: readonly (StreamTable & { readonly name: string })[] = [
  { subject: "configuration", table: "change", name: "the change stream" },
  { subject: "live", table: "live_change", name: "the stream of live values" },
];
const rowsAtOnce = 500;

const advice =
  "find out who wrote into the store by hand, or put back a backup; an edge that reads on from here takes everything " +
  "anew, and old messages are removed within a day";

export async function checkStreams(store: BulkConnection, findings = new Findings("stream")): Promise<Findings> {
  for (const stream of streams) {
    for await (const rows of store.read<Break>(breaksText(stream), rowsAtOnce)) {
      for (const row of rows) findings.failed(`${stream.name}: ${textOf(row)}`, advice);
    }
    const head = await headOf(store, stream);
    if (!head) findings.failed(`${stream.name} has no last number in the table sequencer`, "put back a backup");
    else if (head.last !== null && head.last > head.revision) {
      const text = `${stream.name} has revision ${head.last}, but the last number given is ${head.revision}`;
      findings.failed(text, "stop every control, and put back a backup: the next change would get a number twice");
    } else if (head.has_other_mark) {
      findings.failed(`${stream.name}: the mark of the last revision ${head.revision} was changed`, advice);
    } else if (head.is_missing) {
      findings.failed(`${stream.name} lacks its last revisions, from ${head.last! + 1} to ${head.revision}`, advice);
    }
  }
  return findings;
}

function textOf({ revision, previous, before, has_other_mark }: Break): string {
  if (previous !== revision - 1) return `revision ${revision} says that ${previous} is the one before it`;
  if (has_other_mark) return `revision ${revision} names another mark than that of revision ${before} before it`;
  const first = before + 1;
  const last = revision - 1;
  return first === last ? `revision ${first} is missing` : `revisions ${first} to ${last} are missing`;
}

export async function checkSerials(store: BulkConnection): Promise<Findings> {
  const findings = new Findings("serials");
  const named = new Set<string>();
  for (const text of [wrongVersionsText, wrongSerialsText]) {
    for await (const rows of store.read<WrongSerial>(text, rowsAtOnce)) {
      for (const { zone_id, zone, serial, given, revision } of rows) {
        if (named.has(zone_id)) continue;
        if (named.size < rowsAtOnce) named.add(zone_id);
        findings.failed(
          `the zone ${zone} has the serial ${serial}, but its last change, revision ${revision}, gave it ${given}`,
          "change a field of the zone through the API, or link a linked zone again: that gives it a new serial for everybody",
        );
      }
    }
  }
  return findings;
}
