/**
 * The program that runs in the kernel for each frame that an interface receives, as instructions of eBPF (RFC 9669). It
 * gives queries to an AF_XDP socket and everything else to the kernel, as if there were no program.
 */

/** An address and port that is answered, or an address whose frames the kernel judges. */
export interface XdpEndpoint {
  /** 4 or 16 octets. */
  readonly address: Uint8Array;
  readonly port: number;
}

export interface XdpRules {
  /** The hardware address of the interface: 6 octets. */
  readonly mac: Uint8Array;
  /** Where queries are answered; no wildcards. */
  readonly endpoints: readonly XdpEndpoint[];
  /** Addresses that no client has: our own, and broadcast addresses. The kernel judges packets from them. */
  readonly ours: readonly Uint8Array[];
}

/** What the kernel does with a frame. */
export const verdict = { drop: 1, pass: 2 } as const;

/** More endpoints and addresses than this are left to the kernel: 16-bit jumps must reach the end. */
export const mostRules = 1000;

/** The longest frame that is taken, so that it fits into a chunk of the socket's memory. */
export const longestFrame = 1700;

const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** The context of a program: struct xdp_md. */
const context = { data: 0, dataEnd: 4, queue: 16 } as const;
const redirectMap = 51;
const pseudoMap = 1;

type Label = "v4" | "v6" | "take" | "pass" | `rule ${number}`;
type Line = { readonly label: Label } | Instruction;

interface Instruction {
  readonly code: number;
  readonly to?: number;
  readonly from?: number;
  /** The offset in memory, or where a jump goes. */
  readonly at?: number | Label;
  readonly value?: number;
}

const copy = (to: number, from: number): Instruction => ({ code: 0xbf, to, from });
const set = (to: number, value: number): Instruction => ({ code: 0xb7, to, value });
const add = (to: number, value: number): Instruction => ({ code: 0x07, to, value });
const and = (to: number, value: number): Instruction => ({ code: 0x57, to, value });
const loadCodes = { 8: 0x71, 16: 0x69, 32: 0x61 } as const;
const load = (bits: keyof typeof loadCodes, to: number, from: number, at: number): Instruction => ({
  ...{ code: loadCodes[bits], to, from, at },
});
/** Compares 32 bits: 64-bit comparisons would extend the sign of the value. */
const ifEqual = (to: number, value: number, at: Label): Instruction => ({ code: 0x16, to, value, at });
const ifOther = (to: number, value: number, at: Label): Instruction => ({ code: 0x56, to, value, at });
const ifAbove = (to: number, from: number, at: Label): Instruction => ({ code: 0x2d, to, from, at });
const ifBelow = (to: number, from: number, at: Label): Instruction => ({ code: 0xad, to, from, at });
const jump = (at: Label): Instruction => ({ code: 0x05, at });
const label = (name: Label): Line => ({ label: name });

/** 16 or 32 bits as a program on a little-endian machine loads them. */
const word16 = (octets: Uint8Array, at: number) => octets[at]! | (octets[at + 1]! << 8);
const word32 = (octets: Uint8Array, at: number) => word16(octets, at) | (word16(octets, at + 2) << 16);
const portWord = (port: number) => ((port & 0xff) << 8) | (port >> 8);

const at = {
  type: 12,
  v4: { version: 14, fragment: 20, protocol: 23, source: 26, destination: 30, port: 36, end: 42 },
  v6: { protocol: 20, source: 22, destination: 38, port: 56, end: 62 },
} as const;

/**
 * Composes the program. Frames for a queue without a socket in `map` get `otherwise`. Rules beyond `mostRules` are left
 * out.
 */
export function composeProgram(rules: XdpRules, map: number, otherwise: number = verdict.pass): Uint8Array {
  const { mac } = rules;
  const ours = rules.ours.slice(0, mostRules / 2);
  const endpoints = rules.endpoints.slice(0, mostRules / 2);
  const pass = [label("pass"), set(r0, verdict.pass), { code: 0x95 }];
  // the kernel refuses code that is never reached
  if (endpoints.length === 0) return assemble(pass);
  let rule = 0;
  const next = (): Label => `rule ${rule++}`;
  return assemble([
    copy(r6, r1),
    load(32, r2, r6, context.data),
    load(32, r3, r6, context.dataEnd),
    ...[copy(r4, r2), add(r4, at.v4.end), ifAbove(r4, r3, "pass")],
    ...[copy(r4, r2), add(r4, longestFrame), ifBelow(r4, r3, "pass")],
    // frames for other machines, and for groups of them
    ...[load(32, r5, r2, 0), ifOther(r5, word32(mac, 0), "pass")],
    ...[load(16, r5, r2, 4), ifOther(r5, word16(mac, 4), "pass")],
    load(16, r5, r2, at.type),
    ifEqual(r5, 0x0008, "v4"),
    ifEqual(r5, 0xdd86, "v6"),
    jump("pass"),

    label("v4"),
    ...[load(8, r5, r2, at.v4.version), ifOther(r5, 0x45, "pass")],
    ...[load(16, r5, r2, at.v4.fragment), and(r5, 0xff3f), ifOther(r5, 0, "pass")],
    ...[load(8, r5, r2, at.v4.protocol), ifOther(r5, 17, "pass")],
    ...[load(16, r7, r2, at.v4.port), load(32, r8, r2, at.v4.source)],
    ...ours.filter(({ length }) => length === 4).map((address) => ifEqual(r8, word32(address, 0), "pass")),
    load(32, r8, r2, at.v4.destination),
    ...endpoints
      .filter(({ address }) => address.length === 4)
      .flatMap(({ address, port }) => {
        const other = next();
        return [ifOther(r8, word32(address, 0), other), ifEqual(r7, portWord(port), "take"), label(other)];
      }),
    jump("pass"),

    label("v6"),
    ...[copy(r4, r2), add(r4, at.v6.end), ifAbove(r4, r3, "pass")],
    ...[load(8, r5, r2, at.v6.protocol), ifOther(r5, 17, "pass")],
    load(16, r7, r2, at.v6.port),
    ...ours
      .filter(({ length }) => length === 16)
      .flatMap((address) => {
        const other = next();
        return [...ifIs(at.v6.source, address, other), jump("pass"), label(other)];
      }),
    ...endpoints
      .filter(({ address }) => address.length === 16)
      .flatMap(({ address, port }) => {
        const other = next();
        return [...ifIs(at.v6.destination, address, other), ifEqual(r7, portWord(port), "take"), label(other)];
      }),
    jump("pass"),

    label("take"),
    load(32, r2, r6, context.queue),
    // the second half has the upper 32 bits of the 64-bit value
    ...[{ code: 0x18, to: r1, from: pseudoMap, value: map }, { code: 0 }],
    ...[set(r3, otherwise), { code: 0x85, value: redirectMap }, { code: 0x95 }],

    ...pass,
  ]);
}

/** Continues if the IPv6 address at an offset is this one. */
const ifIs = (offset: number, address: Uint8Array, other: Label): Line[] =>
  [0, 4, 8, 12].flatMap((part) => [load(32, r5, r2, offset + part), ifOther(r5, word32(address, part), other)]);

/** 8 octets for each instruction: code, registers, offset in 16 bits, value in 32 bits. */
function assemble(lines: readonly Line[]): Uint8Array {
  const places = new Map<Label, number>();
  const instructions: Instruction[] = [];
  for (const line of lines) {
    if ("label" in line) places.set(line.label, instructions.length);
    else instructions.push(line);
  }
  const view = new DataView(new ArrayBuffer(instructions.length * 8));
  instructions.forEach(({ code, to = 0, from = 0, at: where = 0, value = 0 }, index) => {
    view.setUint8(index * 8, code);
    view.setUint8(index * 8 + 1, to | (from << 4));
    view.setInt16(index * 8 + 2, typeof where === "number" ? where : places.get(where)! - index - 1, true);
    view.setInt32(index * 8 + 4, value, true);
  });
  return new Uint8Array(view.buffer);
}
