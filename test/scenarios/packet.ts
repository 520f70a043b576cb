/** Packets octet by octet, including those that no resolver would send. */
import { Class, TypeCode } from "../../src/dns/wire/constants.ts";
import { scanName } from "../../src/dns/wire/name.ts";

type Octets = readonly number[] | Uint8Array;

export const u16 = (value: number) => [value >>> 8, value & 255];
export const name = (text: string) => [...scanName(text)];
export const question = (text: string, type: number = TypeCode.A, klass: number = Class.IN) => [
  ...name(text),
  ...u16(type),
  ...u16(klass),
];

export interface Parts {
  readonly id?: number;
  readonly flags?: number;
  /** QDCOUNT, ANCOUNT, NSCOUNT, ARCOUNT; by default the numbers of the given records. */
  readonly counts?: readonly [number, number, number, number];
  readonly questions?: readonly Octets[];
  readonly answers?: readonly Octets[];
  readonly authorities?: readonly Octets[];
  readonly additionals?: readonly Octets[];
  /** Octets after the message. */
  readonly tail?: Octets;
}

export function packet(parts: Parts): Uint8Array {
  const { id = 0x1234, flags = 0, questions = [], answers = [], authorities = [], additionals = [], tail = [] } = parts;
  const sections = [questions, answers, authorities, additionals];
  const counts = parts.counts ?? sections.map((section) => section.length);
  return Uint8Array.from([
    ...u16(id),
    ...u16(flags),
    ...counts.flatMap(u16),
    ...sections.flat().flatMap((part) => [...part]),
    ...tail,
  ]);
}

export const record = (owner: Octets, type: number, rdata: Octets, klass: number = Class.IN, ttl = 0) => [
  ...owner,
  ...u16(type),
  ...u16(klass),
  ...u16(ttl >>> 16),
  ...u16(ttl & 0xffff),
  ...u16(rdata.length),
  ...rdata,
];

export interface OptParts {
  readonly payload?: number;
  readonly version?: number;
  readonly extended?: number;
  readonly flags?: number;
  readonly options?: readonly Octets[];
  readonly owner?: Octets;
}

export const opt = ({
  payload = 1232,
  version = 0,
  extended = 0,
  flags = 0,
  options = [],
  owner = [0],
}: OptParts = {}) => {
  const rdata = options.flatMap((each) => [...each]);
  return [
    ...owner,
    ...u16(TypeCode.OPT),
    ...u16(payload),
    extended,
    version,
    ...u16(flags),
    ...u16(rdata.length),
    ...rdata,
  ];
};

export const option = (code: number, data: Octets) => [...u16(code), ...u16(data.length), ...data];
