/** A zone with something of everything, and tables of packets with the reaction that each is to have. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Cookies } from "../../src/edge/cookies.ts";
import { startTestEdge, type TestEdge } from "./edge.ts";
import { type Answer, parseAnswer, TestImage } from "./image.ts";
import { type OptParts, opt, packet, question } from "./packet.ts";

export const apex = "probe.lab.";
const zone = "probe.lab";
const lines = [
  "@ 300 NS ns1.probe.lab.",
  "ns1 300 A 192.0.2.1",
  "www 300 A 192.0.2.10",
  "*.wild 300 TXT wild",
  "a.b.ent 300 A 192.0.2.11",
  "sub 300 NS ns.sub.probe.lab.",
  "ns.sub 300 A 192.0.2.12",
  "d 300 DNAME target.probe.lab.",
  "left 300 CNAME right",
  "right 300 CNAME left",
  "self 300 CNAME self",
  "*.round 300 CNAME a.round",
  "to 300 DNAME fro",
  "fro 300 DNAME to",
  "grow 300 DNAME x.grow",
  ...Array.from({ length: 41 }, (_, i) => `link${i} 300 CNAME link${i + 1}`),
  ...Array.from({ length: 55 }, (_, i) => `mail 300 MX ${i} mx${i}`),
  ...Array.from({ length: 55 }, (_, i) => `mx${i} 300 A 203.0.113.${i}`),
  ...Array.from({ length: 60 }, (_, i) => `large 300 A 192.0.2.${i}`),
  ...Array.from({ length: 100 }, (_, i) => `huge 300 A 198.51.100.${i}`),
];
export const image = new TestImage({ cookies: new Cookies([new Uint8Array(16)]) }).put(zone, lines);

/** What matters of an answer; `silence` for none. `bare` is a header and nothing else, `opt` counts its OPT record. */
export interface Reaction {
  readonly rcode?: string;
  readonly flags?: readonly string[];
  readonly octets?: number;
  readonly question?: string | undefined;
  readonly answers?: number;
  readonly authorities?: number;
  readonly hasOpt?: boolean;
  readonly options?: readonly number[];
  readonly opcode?: number;
}

export function react(octets: Uint8Array, transport: "udp" | "tcp" = "udp"): Reaction | "silence" {
  return reactionTo(octets, image.send(octets, transport));
}

function reactionTo(octets: Uint8Array, reply: Uint8Array | undefined): Reaction | "silence" {
  if (!reply) return "silence";
  const answer: Answer = parseAnswer(reply);
  expect(answer.id).toBe((octets[0]! << 8) | octets[1]!);
  return {
    rcode: answer.rcode,
    flags: answer.flags,
    opcode: answer.opcode,
    octets: reply.length,
    question: answer.question,
    answers: answer.answer.length,
    authorities: answer.authority.length,
    hasOpt: answer.opt !== undefined,
    options: [...(answer.opt?.data ?? [])],
  };
}

export type Row = readonly [what: string, packet: Uint8Array, wanted: Reaction | "silence"];

/** Each packet is answered in process and over a socket; after it a plain query is answered at once. */
export function rows(all: readonly Row[]): void {
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await startTestEdge(zone, lines);
  });
  afterAll(() => edge.close());
  for (const [what, octets, wanted] of all) {
    test(what, async () => {
      for (const reaction of [react(octets), reactionTo(octets, await edge.send(octets))]) {
        if (wanted === "silence") expect(reaction).toBe("silence");
        else expect(reaction).toMatchObject(wanted);
      }
      expect(await atOnce(edge)).toBeLessThan(plainWithin);
      const after = image.ask({ name: apex, type: "SOA", id: 77 });
      expect(after).toMatchObject({ id: 77, rcode: "NOERROR", flags: ["aa"] });
      expect(after.answer).toHaveLength(1);
      expect(image.faults).toEqual([]);
    });
  }
}

/** Milliseconds. */
const plainWithin = 50;

/** A machine that is busy with other things may miss it once. */
async function atOnce(edge: TestEdge): Promise<number> {
  const took = await edge.plain();
  return took < plainWithin ? took : await edge.plain();
}

export const ask = (text: string, type?: number, klass?: number) =>
  packet({ questions: [question(text, type, klass)] });
export const www = question(`www.${apex}`);
export const withOpt = (parts: OptParts = {}, text = `www.${apex}`, type?: number) =>
  packet({ questions: [question(text, type)], additionals: [opt(parts)] });
export const bareFormerr: Reaction = { rcode: "FORMERR", octets: 12, flags: [] };
export const normal: Reaction = { rcode: "NOERROR", flags: ["aa"], answers: 1, question: "www.probe.lab. A" };
export const formerrWithOpt: Reaction = { rcode: "FORMERR", hasOpt: true, answers: 0, flags: [] };
