/** One query and its answer as a dnstap message (dnstap.proto), in Protocol Buffers' wire format. */

/** A worker's report of a logged query. */
export interface Tapped {
  readonly query: Uint8Array;
  /** Undefined when the query was left without an answer. */
  readonly reply: Uint8Array | undefined;
  readonly family: 4 | 6;
  readonly address: Uint8Array;
  readonly port: number;
  readonly transport: keyof typeof protocols;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** The server's name and version, which every message contains. */
export interface Origin {
  readonly identity: string;
  readonly version: string;
}

const protocols = { udp: 1, tcp: 2, tls: 3, https: 4 } as const;
const families = { 4: 1, 6: 2 } as const;
const authQuery = 1;
const authResponse = 2;
const typeMessage = 1;

export function composeDnstap(tapped: Tapped, { identity, version }: Origin): Uint8Array {
  return Buffer.concat([
    octets(1, Buffer.from(identity)),
    octets(2, Buffer.from(version)),
    octets(14, composeMessage(tapped)),
    integer(15, typeMessage),
  ]);
}

function composeMessage({ query, reply, family, address, port, transport, at }: Tapped): Buffer {
  const seconds = Math.floor(at / 1000);
  const nanoseconds = (at % 1000) * 1e6;
  return Buffer.concat([
    integer(1, reply ? authResponse : authQuery),
    integer(2, families[family]),
    integer(3, protocols[transport]),
    octets(4, address),
    integer(6, port),
    integer(8, seconds),
    fixed32(9, nanoseconds),
    octets(10, query),
    ...(reply ? [integer(12, seconds), fixed32(13, nanoseconds), octets(14, reply)] : []),
  ]);
}

const wireVarint = 0;
const wireOctets = 2;
const wireFixed32 = 5;

const integer = (field: number, value: number) => Buffer.from([...varint((field << 3) | wireVarint), ...varint(value)]);

const octets = (field: number, value: Uint8Array) =>
  Buffer.concat([Buffer.from([...varint((field << 3) | wireOctets), ...varint(value.length)]), value]);

function fixed32(field: number, value: number): Buffer {
  const out = Buffer.alloc(5);
  out[0] = (field << 3) | wireFixed32;
  out.writeUInt32LE(value, 1);
  return out;
}

/** Seven bits in each octet, the lowest first. */
function varint(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) out.push((rest % 0x80) | 0x80);
  out.push(rest);
  return out;
}
