/** The results of packets and explain, in the model's form. */
import { type OrderedReply, parseOrdered, type ReplyRecord } from "../../dns/message.ts";
import { print, scan } from "./model/address.ts";
import type { ServerResult } from "./model/answer.ts";
import { isYes, type ModelRecord } from "./model/meta.ts";
import { typeOf } from "./questions.ts";

/** Throws if a reply is not a complete answer. */
export function resultOfPacket(message: Buffer): ServerResult {
  const reply = parseOrdered(message);
  if (reply.rcode !== 0 || reply.truncated) throw new Error(`rcode ${reply.rcode}, truncated ${reply.truncated}`);
  const lines = reply.answer.map((record) => ({
    owner: bare(record.owner),
    type: record.type,
    rdata: rdataOf(record),
  }));
  return { links: grouped(lines), texts: textsOf(reply), scope: reply.subnet?.scope ?? 0 };
}

/**
 * Throws unless the reply has the client subnet option of its question, or neither has one (RFC 7871 section 7.2.2).
 */
export function assertSubnet(message: Buffer, asked: { readonly source: number } | undefined): void {
  const { subnet } = parseOrdered(message);
  if (subnet?.source !== asked?.source) throw new Error(`source prefix ${subnet?.source}, not ${asked?.source}`);
  if (asked?.source === 0 && subnet?.scope !== 0) throw new Error(`scope ${subnet?.scope} for a source prefix of 0`);
}

/** The compared fields of explain's reply. */
export interface Explained {
  readonly rcode: string;
  readonly answer: readonly string[];
  readonly additional: readonly string[];
  readonly octets: number;
  readonly ecs: { readonly scope: number } | null;
  readonly steps: readonly Step[];
}

/** Explain's result for one record on the way. */
interface Step {
  /** Name and type of a steered record. */
  readonly record: string | null;
  readonly answers: readonly { readonly answer: readonly unknown[] }[];
  /** The remaining answers after each filter: indices of `answers`, or addresses made by filters. */
  readonly filters: readonly { readonly filter: string; readonly after: readonly (number | string)[] }[];
}

/** Throws unless the trace has the enabled filters of each record, and ends with the RDATA of the answer. */
export function assertTrace(
  { steps }: Explained,
  result: ServerResult,
  records: ReadonlyMap<string, ModelRecord>,
): void {
  const answered = result.links.map((link) => JSON.stringify(link));
  for (const { record: name, answers, filters } of steps) {
    const record = name === null ? undefined : records.get(name);
    if (record === undefined) continue;
    const enabled = record.filters.filter(({ disabled }) => !isYes(disabled)).map(({ filter }) => filter);
    const ran = filters.map(({ filter }) => filter);
    if (ran.join() !== enabled.join()) throw new Error(`${name}: the trace has ${ran}, not ${enabled}`);
    const left = (filters.at(-1)?.after ?? []).map((item) =>
      typeof item === "string" ? item : String(answers[item]?.answer[0]),
    );
    const rdata = record.type === "AAAA" ? left.map((text) => scan(text).value.toString(16)) : left;
    const sent = [...new Set(rdata)].slice(0, record.type === "CNAME" ? 1 : undefined);
    if (sent.length > 0 && !answered.includes(JSON.stringify(sent)))
      throw new Error(`${name}: the trace ends with ${sent}`);
  }
}

export function resultOfExplain({ rcode, answer, additional, ecs }: Explained): ServerResult {
  if (rcode !== "NOERROR") throw new Error(`explain: ${rcode}`);
  const lines = answer.map((line) => {
    const { owner, type, rdata } = scanLine(line);
    return { owner, type, rdata: type === "AAAA" ? scan(rdata).value.toString(16) : scanText(type, rdata) };
  });
  const texts = additional.map((line) => scanText("TXT", scanLine(line).rdata));
  return { links: grouped(lines), texts, scope: ecs?.scope ?? 0 };
}

interface Line {
  readonly owner: string;
  readonly type: number | string;
  readonly rdata: string;
}

/** RDATA by owner and type, in their order. */
function grouped(lines: readonly Line[]): string[][] {
  const groups = Map.groupBy(lines, ({ owner, type }) => `${owner} ${type}`);
  return [...groups.values()].map((group) => group.map(({ rdata }) => rdata));
}

const bare = (name: string) => name.replace(/\.$/, "");

function rdataOf({ type, rdata, target }: ReplyRecord): string {
  switch (typeOf(type)) {
    case "A":
      return print({ family: 4, value: BigInt(rdata.readUInt32BE(0)) });
    case "AAAA":
      return BigInt(`0x${rdata.toString("hex")}`).toString(16);
    case "CNAME":
      return bare(target);
    case "TXT":
      return strings(rdata);
    default:
      throw new Error(`an answer has a record of type ${type}`);
  }
}

/** The strings of a TXT record as one. */
function strings(rdata: Buffer): string {
  let text = "";
  for (let at = 0; at < rdata.length; at += 1 + rdata[at]!)
    text += rdata.toString("latin1", at + 1, at + 1 + rdata[at]!);
  return Buffer.from(text, "latin1").toString();
}

const textsOf = ({ additional }: OrderedReply) => additional.map(({ rdata }) => strings(rdata));

function scanLine(line: string): Line {
  const [, owner = "", type = "", rdata = ""] = /^(\S+) \d+ IN (\S+) (.*)$/.exec(line) ?? [];
  return { owner: bare(owner), type, rdata };
}

function scanText(type: string | number, rdata: string): string {
  if (type === "CNAME") return bare(rdata);
  if (type !== "TXT") return rdata;
  const octets = rdata
    .slice(1, -1)
    .replaceAll('" "', "")
    .replaceAll(/\\(\d{3}|.)/g, (_, code: string) => (code.length === 3 ? String.fromCharCode(Number(code)) : code));
  return Buffer.from(octets, "latin1").toString();
}
