/** Answers with the address that is written in the queried name. */
import { text } from "../../lib/fields.ts";
import { filter } from "./contract/filter.ts";

const separators = ["-", ".", "_"] as const;

export const parseIpv4 = filter({
  id: "parse_ipv4",
  shortdesc: "Answer with the IPv4 address in the name",
  desc: "For a wildcard record: reads the labels that the <code>*</code> matched as an IPv4 address, and adds it as an answer without metadata. Adds nothing if they are not an address.",
  tier: 3,
  kind: "modifies",
  inputs: [],
  config: {
    separator: text({
      shortdesc: "Separator of the numbers",
      desc: "<code>-</code> for <code>192-0-2-1</code>, <code>.</code> for <code>192.0.2.1</code>, <code>_</code> for <code>192_0_2_1</code>.",
      default: "-",
      of: separators,
      type: "domain_separator",
    }),
  },
  rectypes: ["A"],
  compile: ({ separator }, { answers }) => {
    const octet = separator.charCodeAt(0);
    return (selection, client) => {
      const name = client.matched();
      const address = name === undefined ? -1 : addressIn(name, octet);
      if (address >= 0) selection.putAddress(answers, address);
    };
  },
});

const dot = 0x2e;
const zero = 0x30;

/** The address in labels in wire format, as a number from 0 to 2^32-1; -1 when they contain none. */
function addressIn(labels: Uint8Array, separator: number): number {
  let address = 0;
  let parts = 0;
  let part = -1;
  for (let at = 0, end = 0; at < labels.length; at++) {
    const isBoundary = at === end;
    if (isBoundary) end = at + 1 + labels[at]!;
    if (isBoundary && at === 0) continue;
    const octet = isBoundary ? dot : labels[at]!;
    if (octet === separator) {
      if (part < 0) return -1;
      address = address * 256 + part;
      parts++;
      part = -1;
    } else {
      const digit = octet - zero;
      // a number must not begin with 0, except 0 itself: other software would read it as octal
      if (isBoundary || digit < 0 || digit > 9 || part === 0) return -1;
      part = part < 0 ? digit : part * 10 + digit;
      if (part > 255) return -1;
    }
  }
  return parts === 3 && part >= 0 ? address * 256 + part : -1;
}
