/** A row in a table of odd and hostile queries: a query, and the expected outcome over each transport. */
import { expect } from "vitest";
import { type Answer, parseAnswer } from "../../scenarios/image.ts";
import { type OptParts, opt, packet, question } from "../../scenarios/packet.ts";
import { apex } from "./zone.ts";

/** The parts of a reply that are compared. */
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

/** `silence`: over TCP and TLS the connection ends; over HTTPS the status is that of a bad request. */
export type Wanted = Reaction | "silence";

export interface Case {
  /** A statement that the case shows. */
  readonly name: string;
  readonly query: Uint8Array;
  readonly wanted: Wanted;
  /** The differing expectations: over TCP, TLS and HTTPS; over TLS and HTTPS; over HTTPS alone. */
  readonly streams?: Reaction;
  readonly encrypted?: Reaction;
  readonly https?: Reaction;
}

/** The last element has the reactions that differ by transport. */
export type Row = readonly [name: string, query: Uint8Array, wanted: Wanted, other?: Omit<Case, keyof Base>];
type Base = Pick<Case, "name" | "query" | "wanted">;

export const cases = (rows: readonly Row[]): Case[] =>
  rows.map(([name, query, wanted, other]) => ({ name, query, wanted, ...other }));

export type CaseTransport = "udp" | "tcp" | "tls" | "https";

export function wantedOver(one: Case, transport: CaseTransport): Wanted {
  if (transport === "udp") return one.wanted;
  if (transport === "tcp") return one.streams ?? one.wanted;
  if (transport === "tls") return one.encrypted ?? one.streams ?? one.wanted;
  return one.https ?? one.encrypted ?? one.streams ?? one.wanted;
}

/** Fails unless `reply` (undefined for none) is as expected. */
export function expectReaction(query: Uint8Array, reply: Uint8Array | undefined, wanted: Wanted): void {
  const reaction = reply ? reactionOf(query, reply) : "silence";
  if (wanted === "silence") expect(reaction).toBe("silence");
  else expect(reaction).toMatchObject(wanted);
}

function reactionOf(query: Uint8Array, reply: Uint8Array): Reaction {
  const answer: Answer = parseAnswer(reply);
  expect(answer.id).toBe((query[0]! << 8) | query[1]!);
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

export const ask = (text: string, type?: number, klass?: number) =>
  packet({ questions: [question(text, type, klass)] });
export const www = question(`www.${apex}`);
export const withOpt = (parts: OptParts = {}, text = `www.${apex}`, type?: number) =>
  packet({ questions: [question(text, type)], additionals: [opt(parts)] });

/** A header and nothing else. */
export const bareFormerr: Reaction = { rcode: "FORMERR", octets: 12, flags: [] };
export const formerrWithOpt: Reaction = { rcode: "FORMERR", hasOpt: true, answers: 0, flags: [] };
export const normal: Reaction = { rcode: "NOERROR", flags: ["aa"], answers: 1, question: "www.probe.lab. A" };
export const nodata: Reaction = { rcode: "NOERROR", flags: ["aa"], answers: 0, authorities: 1 };
export const refused: Reaction = { rcode: "REFUSED", flags: [], answers: 0, authorities: 0 };
