/** A zone file and its verdicts: here, of BIND and of Knot. */

/** Accepted; refused; accepted with warnings in these lines. */
export type Verdict = "+" | "-" | readonly number[];

/**
 * Text stands behind the head below, in line 4 and after; octets are a whole file. The others are BIND's
 * named-checkzone and Knot's kzonecheck: + accepted, - refused, ? not asked. Where they differ from ours, it says why.
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
