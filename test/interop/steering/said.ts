/** What packets and explain say, in the form in which the model judges it. */
import { type OrderedReply, parseOrdered, type ReplyRecord } from "../../dns/message.ts";
import { print, scan } from "./model/address.ts";
import type { Said } from "./model/answer.ts";
import { typeOf } from "./questions.ts";

/** Throws for a reply that is no whole answer. */
export function saidByPacket(message: Buffer): Said {
  const reply = parseOrdered(message);
  if (reply.rcode !== 0 || reply.truncated) throw new Error(`rcode ${reply.rcode}, truncated ${reply.truncated}`);
  const lines = reply.answer.map((record) => ({
    owner: bare(record.owner),
    type: record.type,
    rdata: rdataOf(record),
  }));
  return { links: grouped(lines), texts: textsOf(reply), scope: reply.subnet?.scope ?? 0 };
}

/** The part of explain's reply that is compared. */
export interface Explained {
  readonly rcode: string;
  readonly answer: readonly string[];
  readonly additional: readonly string[];
  readonly ecs: { readonly scope: number } | null;
}

export function saidByExplain({ rcode, answer, additional, ecs }: Explained): Said {
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
