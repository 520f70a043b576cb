/** A zone with something of everything, and tables of packets with the reaction that each is to have. */
import { expect, test } from "vitest";
import { type Answer, parseAnswer, TestImage } from "./image.ts";
import { type OptParts, opt, packet, question } from "./packet.ts";

export const apex = "probe.lab.";
export const image = new TestImage().put("probe.lab", [
  "@ 300 NS ns1.probe.lab.",
  "ns1 300 A 192.0.2.1",
  "www 300 A 192.0.2.10",
  "*.wild 300 TXT wild",
  "a.b.ent 300 A 192.0.2.11",
  "sub 300 NS ns.sub.probe.lab.",
  "ns.sub 300 A 192.0.2.12",
  "d 300 DNAME target.probe.lab.",
  ...Array.from({ length: 60 }, (_, i) => `large 300 A 192.0.2.${i}`),
  ...Array.from({ length: 100 }, (_, i) => `huge 300 A 198.51.100.${i}`),
]);

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
  const reply = image.send(octets, transport);
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

export function rows(all: readonly Row[]): void {
  for (const [what, octets, wanted] of all) {
    test(what, () => {
      const reaction = react(octets);
      if (wanted === "silence") expect(reaction).toBe("silence");
      else expect(reaction).toMatchObject(wanted);
      const after = image.ask({ name: apex, type: "SOA", id: 77 });
      expect(after).toMatchObject({ id: 77, rcode: "NOERROR", flags: ["aa"] });
      expect(after.answer).toHaveLength(1);
      expect(image.faults).toEqual([]);
    });
  }
}

export const ask = (text: string, type?: number, klass?: number) =>
  packet({ questions: [question(text, type, klass)] });
export const www = question(`www.${apex}`);
export const withOpt = (parts: OptParts = {}, text = `www.${apex}`) =>
  packet({ questions: [question(text)], additionals: [opt(parts)] });
export const bareFormerr: Reaction = { rcode: "FORMERR", octets: 12, flags: [] };
export const normal: Reaction = { rcode: "NOERROR", flags: ["aa"], answers: 1, question: "www.probe.lab. A" };
export const formerrWithOpt: Reaction = { rcode: "FORMERR", hasOpt: true, answers: 0, flags: [] };
