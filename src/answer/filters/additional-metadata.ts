/** Adds the `additional_metadata` of answers as TXT records to the additional section. */
import { isObject } from "../../lib/values.ts";
import { filter } from "./contract/filter.ts";

export const additionalMetadata = filter({
  id: "additional_metadata",
  shortdesc: "Add metadata of answers as TXT records",
  desc: "Adds a TXT record to the additional section for each answer that has <code>additional_metadata</code>, in the order of the answers, with the value as JSON. Equal values are added once. Use it at the end of a chain: the texts of answers that later filters remove stay.",
  tier: 2,
  kind: "modifies",
  inputs: ["additional_metadata"],
  config: {},
  compile: (_config, record) => {
    const texts = record.values("additional_metadata", textOf);
    if (texts.isEmpty) return undefined;
    return (selection) => {
      for (let rank = 0; rank < selection.count; rank++) {
        const rdata = texts.at(selection.answer(rank));
        if (rdata !== undefined && !isAmong(selection.texts, rdata)) selection.texts.push(rdata);
      }
    };
  },
});

/** RFC 2181 section 5: an RRset has no duplicate records. */
function isAmong(texts: readonly Uint8Array[], rdata: Uint8Array): boolean {
  if (texts.includes(rdata)) return true;
  for (const text of texts) if (text.length === rdata.length && Buffer.compare(text, rdata) === 0) return true;
  return false;
}

const mostText = 4096;
const mostString = 255;

/** RDATA of a TXT record (RFC 1035 section 3.3.14): strings of at most 255 octets. */
function textOf(value: unknown): Uint8Array | undefined {
  if (!Array.isArray(value) || value.length !== 1 || !isObject(value[0])) return undefined;
  const text = new TextEncoder().encode(JSON.stringify(value));
  if (text.length > mostText) return undefined;
  const rdata = new Uint8Array(text.length + Math.ceil(text.length / mostString));
  for (let at = 0, to = 0; at < text.length; at += mostString) {
    const string = text.subarray(at, at + mostString);
    rdata[to] = string.length;
    rdata.set(string, to + 1);
    to += 1 + string.length;
  }
  return rdata;
}
