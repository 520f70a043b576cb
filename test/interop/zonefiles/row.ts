/** A zone file and the verdicts of this service, of BIND and of Knot. */

/** Accepted; refused; accepted with warnings in these lines. */
export type Verdict = "+" | "-" | readonly number[];

/**
 * A file as text comes after the head below, from line 4 on; octets are a whole file. `others` are the verdicts of BIND's
 * named-checkzone and Knot's kzonecheck: + accepted, - refused, ? not tested. If they differ from ours, a reason follows.
 */
export type Row = readonly [
  name: string,
  file: string | Uint8Array,
  ours: Verdict,
  others: `${"+" | "-" | "?"}${"+" | "-" | "?"}`,
  why?: string,
];

export const head = `$TTL 300
@ SOA ns.example.net. admin.example.net. 1 2 3 4 5
@ NS ns.example.net.
`;
