/** Ethernet frames with UDP datagrams, composed and read octet by octet from the RFCs: nothing of src/net/xdp is used. */

export interface Datagram {
  /** 4 or 16 octets each. */
  readonly source: readonly number[];
  readonly destination: readonly number[];
  readonly ports: readonly [source: number, destination: number];
  readonly payload: readonly number[];
  /** What differs from a usual frame. */
  readonly odd?: Odd;
}

export interface Odd {
  /** The checksum of UDP: left out, that of the pseudo header alone, or wrong. */
  readonly sum?: "none" | "partial" | "wrong";
  readonly padding?: number;
  readonly macs?: { readonly to: readonly number[]; readonly from: readonly number[] };
}

export const macs = { to: [2, 0, 0, 0, 0, 1], from: [2, 0, 0, 0, 0, 2] } as const;

const word = (value: number) => [(value >> 8) & 255, value & 255];

/** RFC 1071, in network order. */
function checksum(octets: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < octets.length; at += 2) sum += octets[at]! * 256 + (octets[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum % 0x10000) + Math.floor(sum / 0x10000);
  return 0xffff - sum;
}

const pseudo = (source: readonly number[], destination: readonly number[], length: number) => [
  ...[...source, ...destination],
  ...[...word(length), ...word(17)],
];

export function composeFrame({ source, destination, ports, payload, odd = {} }: Datagram): number[] {
  const length = 8 + payload.length;
  const head = [...word(ports[0]), ...word(ports[1]), ...word(length)];
  const whole = checksum([...pseudo(source, destination, length), ...head, 0, 0, ...payload]);
  const sums = {
    none: 0,
    partial: 0xffff - checksum(pseudo(source, destination, length)),
    wrong: whole ^ 0x0100,
    right: whole === 0 ? 0xffff : whole,
  };
  const udp = [...head, ...word(sums[odd.sum ?? "right"]), ...payload];
  const { to, from } = odd.macs ?? macs;
  const ethernet = [...to, ...from, ...(source.length === 4 ? [8, 0] : [0x86, 0xdd])];
  const ip = source.length === 4 ? ipv4(source, destination, udp.length) : ipv6(source, destination, udp.length);
  return [...ethernet, ...ip, ...udp, ...Array<number>(odd.padding ?? 0).fill(0xaa)];
}

function ipv4(source: readonly number[], destination: readonly number[], length: number): number[] {
  const before = [0x45, 0, ...word(20 + length), 0, 7, 0, 0, 61, 17];
  return [...before, ...word(checksum([...before, 0, 0, ...source, ...destination])), ...source, ...destination];
}

const ipv6 = (source: readonly number[], destination: readonly number[], length: number) => [
  ...[0x60, 1, 2, 3, ...word(length), 17, 61, ...source, ...destination],
];

/** Reads a frame as a careful receiver does; undefined if it is not a query that a host may answer. */
export function readFrame(frame: readonly number[]): Datagram | undefined {
  const at = (offset: number) => (frame[offset] ?? 0) * 256 + (frame[offset + 1] ?? 0);
  const kind = at(12) === 0x0800 ? 4 : at(12) === 0x86dd ? 6 : 0;
  const head = kind === 4 ? 42 : 62;
  if (kind === 0 || frame.length < head || frame[0]! % 2 === 1 || frame[6]! % 2 === 1) return undefined;
  const ip = frame.slice(14);
  if (kind === 4) {
    if (ip[0] !== 0x45 || ip[9] !== 17 || at(20) % 0x4000 !== 0 || checksum(ip.slice(0, 20)) !== 0) return undefined;
  } else if (Math.floor(ip[0]! / 16) !== 6 || ip[6] !== 17) return undefined;
  const rest = kind === 4 ? at(16) - 20 : at(18);
  if (rest > frame.length - head + 8) return undefined;
  const [source, destination] = kind === 4 ? [ip.slice(12, 16), ip.slice(16, 20)] : [ip.slice(8, 24), ip.slice(24, 40)];
  if (!isHost(source)) return undefined;
  const length = at(head - 4);
  const ports = [at(head - 8), at(head - 6)] as const;
  if (length < 8 || length > rest || ports[0] === 0) return undefined;
  const udp = frame.slice(head - 8, head - 8 + length);
  const given = at(head - 2);
  const partial = 0xffff - checksum(pseudo(source, destination, length));
  const isRight = checksum([...pseudo(source, destination, length), ...udp]) === 0 || given === partial;
  if (given === 0 ? kind === 6 : !isRight) return undefined;
  return { source, destination, ports, payload: udp.slice(8) };
}

export function isHost(address: readonly number[]): boolean {
  const text = address.join(".");
  if (address.length === 4) {
    const [first = 0] = address;
    return !(first === 0 || first === 127 || (first >= 224 && first <= 239) || text === "255.255.255.255");
  }
  const zeros = (count: number) => address.slice(0, count).every((octet) => octet === 0);
  if (address[0] === 255 || (zeros(10) && address[10] === 255 && address[11] === 255)) return false;
  return !(zeros(15) && address[15]! < 2);
}
