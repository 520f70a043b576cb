/** Adds the `additional_metadata` of answers as TXT records to the additional section. */
import { reader } from "../lists/list.ts";
import { texts } from "../lists/texts.ts";
import { filter } from "./contract/filter.ts";

/** Octets of a DNS message. */
const mostOctets = 65_535;

export const additionalMetadata = filter({
  id: "additional_metadata",
  shortdesc: "Add metadata of answers as TXT records",
  desc: "Adds a TXT record to the additional section for each answer that has <code>additional_metadata</code>, in the order of the answers, with the value as JSON. Equal values are added once. Use it at the end of a chain: the texts of answers that later filters remove stay.",
  tier: 2,
  kind: "modifies",
  inputs: ["additional_metadata"],
  config: {},
  compile: (_config, record) => {
    const values = record.values("additional_metadata", textOf);
    if (values.isEmpty) return undefined;
    return (selection) => {
      let octets = selection.texts.reduce((sum, text) => sum + text.length, 0);
      // further texts would not fit into a message
      for (let rank = 0; rank < selection.count && octets < mostOctets; rank++) {
        const rdata = values.at(selection.answer(rank))?.rdata;
        if (rdata === undefined || isAmong(selection.texts, rdata)) continue;
        selection.texts.push(rdata);
        octets += rdata.length;
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

const textOf = reader(texts);
