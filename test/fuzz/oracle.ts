/** Rules that every reply must follow, written without src/dns so that a fault there cannot hide. */

export type Transport = "udp" | "limited" | "tcp" | "tls" | "https";

const NOERROR = 0;
const NXDOMAIN = 3;
const YXDOMAIN = 6;
const BADCOOKIE = 23;
/** FORMERR, NOTIMP, REFUSED, NOTAUTH, BADVERS. SERVFAIL would be a fault of ours: no question leads out of the zones. */
const refusals = new Set([1, 4, 5, 9, 16]);

const headerOctets = 12;
const opt = 41;
const tsig = 250;
/** Octets of an empty OPT record. */
const emptyOpt = 11;
const option = { nsid: 3, cookie: 10 } as const;
/** The octets that a server cookie adds. */
const cookieGrows = 16;
const mostUdp = 1232;
const leastUdp = 512;

/** Whether a packet needs an answer: it has a header, and is not a response. */
export const isAnswered = (query: Buffer) => query.length >= headerOctets && (query[2]! & 0x80) === 0;

/** The fault of a reply; undefined if there is none. `nsid` is the length of the server's identifier. */
export function judge(query: Buffer, reply: Buffer, transport: Transport, nsid: number): string | undefined {
  if (reply.length < headerOctets) return `a reply of ${reply.length} octets`;
  if (reply.readUInt16BE(0) !== query.readUInt16BE(0)) return "another ID";
  const flags = reply.readUInt16BE(2);
  if ((flags & 0x8000) === 0) return "QR is not set";
  if (((flags ^ query.readUInt16BE(2)) & 0x7800) !== 0) return "another opcode";
  if ((flags & 0x00f0) !== 0) return "RA, Z, AD or CD is set";
  if ((flags & 0x0100) !== 0 && (query[2]! & 1) === 0) return "RD is set, and was not";
  const read = walk(reply, true);
  if (read.wrong !== undefined) return read.wrong;
  if (read.end !== reply.length) return `${reply.length - read.end} octets after the message`;
  return (
    judgeQuestion(query, reply, read) ??
    judgeOutcome(flags, read, transport) ??
    judgeLength(query, reply, read, transport, nsid)
  );
}

function judgeQuestion(query: Buffer, reply: Buffer, read: Walk): string | undefined {
  if (read.questions > 1) return `${read.questions} questions`;
  if (read.questions === 0) return undefined;
  const { questionEnd } = read;
  const isSame =
    questionEnd <= query.length && query.compare(reply, headerOctets, questionEnd, headerOctets, questionEnd) === 0;
  return isSame ? undefined : "another question";
}

function judgeOutcome(flags: number, read: Walk, transport: Transport): string | undefined {
  const rcode = (flags & 15) | (read.extended << 4);
  const isUdp = transport === "udp" || transport === "limited";
  if (!isUdp && (flags & 0x0200) !== 0) return "TC is set over a stream";
  if (refusals.has(rcode)) {
    if (read.answers + read.authorities > 0) return `RCODE ${rcode} with records`;
    return (flags & 0x0400) === 0 ? undefined : `RCODE ${rcode} with AA`;
  }
  if (rcode === NXDOMAIN) return read.authorities > 0 || (flags & 0x0200) !== 0 ? undefined : "NXDOMAIN without SOA";
  if (rcode === NOERROR || rcode === YXDOMAIN) return undefined;
  return rcode === BADCOOKIE && transport === "limited" ? undefined : `RCODE ${rcode}`;
}

/** RFC 6891 section 6.2.3. Besides, an error is no longer than its query, except for OPT and requested options. */
function judgeLength(query: Buffer, reply: Buffer, read: Walk, transport: Transport, nsid: number): string | undefined {
  if (transport !== "udp" && transport !== "limited") return undefined;
  const asked = walk(query, false);
  const limit = read.optAt < 0 || asked.optAt < 0 ? leastUdp : Math.max(leastUdp, Math.min(mostUdp, asked.payload));
  if (reply.length > limit) return `${reply.length} octets, and ${limit} may be sent`;
  const isError = refusals.has((reply[3]! & 15) | (read.extended << 4));
  if (!isError || asked.hasTsig) return undefined;
  const grows =
    emptyOpt + (asked.options.has(option.cookie) ? cookieGrows : 0) + (asked.options.has(option.nsid) ? nsid : 0);
  if (reply.length <= query.length + grows) return undefined;
  return `an error of ${reply.length} octets to a query of ${query.length}`;
}

interface Walk {
  questions: number;
  questionEnd: number;
  answers: number;
  authorities: number;
  /** The position of the first OPT in the additional section; -1 without one. */
  optAt: number;
  payload: number;
  /** Upper bits of the RCODE. */
  extended: number;
  options: Set<number>;
  hasTsig: boolean;
  end: number;
  wrong: string | undefined;
}

/** Walks a message as far as it is valid. `strict` is for replies, in which names may only point backwards. */
function walk(message: Buffer, strict: boolean): Walk {
  const count = (at: number) => message.readUInt16BE(at);
  const found: Walk = {
    questions: count(4),
    questionEnd: headerOctets,
    answers: count(6),
    authorities: count(8),
    optAt: -1,
    payload: 0,
    extended: 0,
    options: new Set(),
    hasTsig: false,
    end: headerOctets,
    wrong: undefined,
  };
  let at = headerOctets;
  for (let left = found.questions; left > 0 && at >= 0; left--) {
    at = afterName(message, at, strict);
    if (at >= 0) at = at + 4 <= message.length ? at + 4 : -1;
  }
  found.questionEnd = at;
  const before = found.answers + found.authorities;
  for (let index = 0; index < before + count(10) && at >= 0; index++)
    at = record(message, at, index >= before, found, strict);
  if (at < 0) found.wrong = "an invalid name or record";
  found.end = at;
  return found;
}

function record(message: Buffer, from: number, isAdditional: boolean, found: Walk, strict: boolean): number {
  const at = afterName(message, from, strict);
  if (at < 0 || at + 10 > message.length) return -1;
  const end = at + 10 + message.readUInt16BE(at + 8);
  if (end > message.length) return -1;
  const type = message.readUInt16BE(at);
  if (type === tsig) found.hasTsig = true;
  if (type === opt && isAdditional && found.optAt < 0) {
    found.optAt = from;
    found.payload = message.readUInt16BE(at + 2);
    found.extended = message[at + 4]!;
    for (let option = at + 10; option + 4 <= end; option += 4 + message.readUInt16BE(option + 2)) {
      found.options.add(message.readUInt16BE(option));
    }
  }
  return end;
}

/** The position after a name; -1 if the name is invalid. */
function afterName(message: Buffer, from: number, strict: boolean): number {
  let end = -1;
  let limit = from;
  let octets = 0;
  for (let at = from; ; ) {
    if (at >= message.length) return -1;
    const size = message[at]!;
    if (size >= 0xc0) {
      if (at + 2 > message.length) return -1;
      if (end < 0) end = at + 2;
      if (!strict) return end;
      const target = message.readUInt16BE(at) & 0x3fff;
      // each pointer leads further back, so that the loop ends
      if (target >= limit || target < headerOctets) return -1;
      limit = target;
      at = target;
      continue;
    }
    octets += size + 1;
    if (size > 63 || octets > 255) return -1;
    at += size + 1;
    if (size === 0) return end < 0 ? at : end;
  }
}
