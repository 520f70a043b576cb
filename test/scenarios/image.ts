/** A small image made from zone text, with its answers as text: the engine as a client sees it, without sockets. */
import { ImageReader } from "../../src/answer/image/reader.ts";
import type { ImageRecord, ImageZone } from "../../src/answer/image/rrset/source.ts";
import { ImageWriter } from "../../src/answer/image/writer/writer.ts";
import { parseRdata, printRdata, rdataToApi, scanRdata } from "../../src/dns/rdata/codec.ts";
import { typeCoded, typeNamed } from "../../src/dns/type-names.ts";
import { Class, Opcode, Rcode, TypeCode } from "../../src/dns/wire/constants.ts";
import { nameToApi, printName, scanName } from "../../src/dns/wire/name.ts";
import { Reader } from "../../src/dns/wire/wire.ts";
import type { Transport } from "../../src/edge/serve/options.ts";
import { createServe, type Serve, type ServeOptions } from "../../src/edge/serve/serve.ts";
import type { Client } from "../../src/net/socket/service.ts";

/** A zone whose SOA fields are all fixed, so that a script can leave them out. */
export const zoneOf = (zone: string, changes: Partial<ImageZone> = {}): ImageZone => ({
  id: zone,
  account_id: "",
  zone,
  view: "",
  ttl: 3600,
  refresh: 43200,
  retry: 7200,
  expiry: 1209600,
  nx_ttl: 60,
  hostmaster: `hostmaster@${zone}`,
  primary_master: `ns1.${zone}`,
  disabled: false,
  ...changes,
});

/** Records from lines `owner ttl type rdata`, names relative to the zone; an owner and a type make one record. */
export function recordsOf(zone: string, lines: readonly string[]): ImageRecord[] {
  const records = new Map<string, ImageRecord & { answers: { answer: readonly unknown[] }[] }>();
  const origin = scanName(zone === "." ? zone : `${zone}.`);
  for (const line of lines) {
    const [, owner, ttl, mnemonic, text] = /^(\S+)\s+(\d+)\s+(\S+)\s*(.*)$/.exec(line) ?? [];
    const type = typeNamed(mnemonic ?? "");
    if (owner === undefined || type === undefined || text === undefined) throw new Error(`not a record: ${line}`);
    const [rdata, ...options] = ` ${text}`.split(" ~ ");
    const link = options.find((option) => option.startsWith("link "))?.slice(5);
    const domain = nameToApi(scanName(owner, origin)).toLowerCase();
    const record = records.get(`${domain} ${type.code}`) ?? {
      zone_id: zone,
      domain,
      type: type.name,
      ttl: Number(ttl),
      answers: [],
      ...(link === undefined ? {} : { link }),
      override_ttl: options.includes("override_ttl"),
      override_address_records: options.includes("override_address_records"),
    };
    if (link === undefined) record.answers.push({ answer: rdataToApi(type, scanRdata(type, rdata!.trim(), origin)) });
    records.set(`${domain} ${type.code}`, record);
  }
  return [...records.values()];
}

/** A steered record of a zone. */
export const steeredRecord = (
  zone: string,
  record: Pick<ImageRecord, "type" | "answers" | "filters"> & Partial<ImageRecord>,
): ImageRecord => ({
  zone_id: zone,
  domain: `www.${zone}`,
  ttl: 60,
  override_ttl: false,
  override_address_records: false,
  ...record,
});

export interface Question {
  readonly name: string;
  readonly type: string;
  readonly id?: number;
  readonly flags?: number;
  /** UDP payload size of an OPT record; no OPT without it. */
  readonly edns?: number;
  readonly dnssecOk?: boolean;
  /** Octets of the OPT record's options. */
  readonly options?: readonly number[];
}

/** A query packet. */
export function queryOf({ name, type, id = 1, flags = 0, edns, dnssecOk = false, options = [] }: Question): Uint8Array {
  const code = typeNamed(type)?.code ?? (TypeCode as Readonly<Record<string, number>>)[type];
  if (code === undefined) throw new Error(`not a type: ${type}`);
  const u16 = (value: number) => [value >>> 8, value & 255];
  const opt =
    edns === undefined
      ? []
      : [0, ...u16(TypeCode.OPT), ...u16(edns), 0, 0, dnssecOk ? 0x80 : 0, 0, ...u16(options.length), ...options];
  const counts = [1, 0, 0, edns === undefined ? 0 : 1].flatMap(u16);
  return Uint8Array.from([
    ...u16(id),
    ...u16(flags),
    ...counts,
    ...scanName(name),
    ...u16(code),
    ...u16(Class.IN),
    ...opt,
  ]);
}

export interface Answer {
  readonly octets: Uint8Array;
  readonly id: number;
  readonly opcode: number;
  readonly rcode: string;
  /** `aa`, `tc`, `rd`, `ra`, `ad`, `cd`, whichever are set. */
  readonly flags: readonly string[];
  readonly question: string | undefined;
  readonly answer: readonly string[];
  readonly authority: readonly string[];
  /** Without the OPT record. */
  readonly additional: readonly string[];
  readonly opt:
    | { readonly payload: number; readonly version: number; readonly flags: number; readonly data: Uint8Array }
    | undefined;
}

const flagBits: Readonly<Record<string, number>> = {
  aa: 0x400,
  tc: 0x200,
  rd: 0x100,
  ra: 0x80,
  z: 0x40,
  ad: 0x20,
  cd: 0x10,
};
const nameIn = (table: Readonly<Record<string, number>>, value: number) =>
  Object.entries(table).find(([, code]) => code === value)?.[0] ?? String(value);

/** Reads a response strictly: remaining or unexpected octets are an error. */
export function parseAnswer(octets: Uint8Array): Answer {
  const reader = new Reader(octets);
  const [id, flags, questions] = [reader.u16(), reader.u16(), reader.u16()];
  const counts = [reader.u16(), reader.u16(), reader.u16()];
  if ((flags & 0x8000) === 0) throw new Error("not a response");
  const question = questions === 0 ? undefined : `${printName(reader.name())} ${typeCoded(reader.u16()).name}`;
  if (questions > 0) reader.u16();
  let opt: Answer["opt"];
  let rcode = flags & 15;
  const sections = counts.map((count) => {
    const lines: string[] = [];
    for (let i = 0; i < count; i++) {
      const owner = printName(reader.name());
      const [type, klass] = [typeCoded(reader.u16()), reader.u16()];
      if (type.code === TypeCode.OPT) {
        const [extended, version, bits] = [reader.u8(), reader.u8(), reader.u16()];
        rcode |= extended << 4;
        opt = { payload: klass, version, flags: bits, data: reader.bytes(reader.u16()) };
      } else {
        const ttl = reader.u32();
        lines.push(`${owner} ${ttl} ${type.name} ${printRdata(type, parseRdata(type, reader.slice(reader.u16())))}`);
      }
    }
    return lines;
  });
  if (reader.left > 0) throw new Error(`${reader.left} octets after the message`);
  return {
    octets,
    id,
    opcode: (flags >>> 11) & 15,
    rcode: nameIn(Rcode, rcode),
    flags: Object.keys(flagBits).filter((flag) => (flags & flagBits[flag]!) !== 0),
    question,
    answer: sections[0]!,
    authority: sections[1]!,
    additional: sections[2]!,
    opt,
  };
}

/** Packets and answers are in the middle of larger buffers. */
const margin = 7;
const client = { family: 4, address: Uint8Array.of(192, 0, 2, 99), port: 4096 } as const;

/** An image and its reader in one thread, spoken to in packets. */
export class TestImage {
  readonly writer: ImageWriter;
  readonly reader: ImageReader;
  readonly faults: unknown[] = [];
  readonly #serve: Serve;
  readonly #out = new Uint8Array(65535 + 2 * margin);

  /** `asSent` as for an image. */
  constructor({ asSent = false, ...options }: ServeOptions & { readonly asSent?: boolean } = {}) {
    this.writer = ImageWriter.create({ asSent });
    this.reader = new ImageReader(this.writer.share(), 0, () => this.reader.update(this.writer.share()));
    this.#serve = createServe(this.reader, { onFault: (error) => this.faults.push(error), ...options });
  }

  /** Puts a zone and its records, given as lines, and commits. */
  put(zone: string, lines: readonly string[], changes: Partial<ImageZone> = {}): this {
    this.writer.putZone(zoneOf(zone, changes), 1);
    for (const record of recordsOf(zone, lines)) this.writer.putRecord(record);
    this.writer.commit();
    return this;
  }

  /** The answer to a packet from an address; undefined for silence. */
  send(packet: Uint8Array, transport: Transport = "udp", from: Client = client): Uint8Array | undefined {
    const buffer = new Uint8Array(packet.length + 2 * margin).fill(0xff);
    buffer.set(packet, margin);
    this.reader.enter();
    try {
      const octets = this.#serve(buffer, margin, margin + packet.length, from, transport, this.#out, margin, 65535);
      return octets === 0 ? undefined : this.#out.slice(margin, margin + octets);
    } finally {
      this.reader.leave();
    }
  }

  /** The answer to a question, `www.example.com A`. */
  ask(question: string | Question, transport: "udp" | "tcp" = "udp"): Answer {
    const [name = "", type = ""] = typeof question === "string" ? question.split(" ") : [];
    const octets = this.send(queryOf(typeof question === "string" ? { name, type } : question), transport);
    if (!octets) throw new Error("no answer");
    const answer = parseAnswer(octets);
    if (answer.opcode !== Opcode.QUERY) throw new Error("another opcode");
    return answer;
  }
}
