/** Sends the same questions as packets and to explain, compares both with the model, and reports the coverage. */
import type { Draw } from "../differential/draw.ts";
import { loopback, within } from "./geo-files.ts";
import { around, bitsOf, scan } from "./model/address.ts";
import { allows, type Notes, type Outcome, outcomesOf, type ServerResult, type World } from "./model/answer.ts";
import type { ReadName } from "./model/client.ts";
import { drawing } from "./model/filters.ts";
import { isYes, type Table } from "./model/meta.ts";
import { type ClientSubnet, drawQuestion, packetOf, printSubnet, type Question, subnetOf } from "./questions.ts";
import { assertSubnet, assertTrace, type Explained, resultOfExplain, resultOfPacket } from "./results.ts";
import type { GeneratedWorld } from "./world.ts";

/** The server that is compared with the model. */
export interface Side {
  /** Resolves when answers reflect the pushes and the short max_age is over. */
  push(tables: ReadonlyMap<string, Table>): Promise<void>;
  ask(packets: readonly Buffer[]): Promise<Buffer[]>;
  /** Undefined without an API. */
  readonly explain?: (questions: readonly Question[]) => Promise<Explained[]>;
}

export interface Report {
  readonly pairs: number;
  /** The number of pairs that explain answered, too. */
  readonly explained: number;
  /** The number of pairs whose chain has the filter, and the number of these in which the filter changed something. */
  readonly filters: Readonly<Record<string, { readonly ran: number; readonly acted: number }>>;
  readonly facts: Readonly<Record<string, number>>;
  readonly families: Readonly<Record<string, number>>;
  /** Scopes of answers to queries with a subnet: 0, up to the source prefix, and beyond it. */
  readonly scopes: Readonly<Record<string, number>>;
  /** Questions asked again by another client within the scope. */
  readonly neighbours: number;
  /** Descriptions of the disagreements. */
  readonly findings: readonly string[];
}

/** The number of questions that are asked at once. */
const askedAtOnce = 500;
/** Explain answers one question of this many, since its answers take most of the time. */
const explainedEvery = 32;

/** Ends early after questions with a disagreement. */
export async function compare(world: GeneratedWorld, side: Side, draw: Draw, pairs: number): Promise<Report> {
  const comparison = new Comparison(draw, side);
  for (const { push, world: expected } of world.rounds) {
    await side.push(push);
    const questions = Array.from({ length: pairs / world.rounds.length }, () =>
      drawQuestion(draw, world.records, world.blocks),
    );
    for (let from = 0; from < questions.length && !comparison.hasFound; from += askedAtOnce) {
      await comparison.run(expected, questions.slice(from, from + askedAtOnce));
    }
    if (comparison.hasFound) break;
  }
  return comparison.report();
}

class Comparison {
  readonly #draw: Draw;
  readonly #side: Side;
  readonly #ran = new Counts();
  readonly #acted = new Counts();
  readonly #facts = new Counts();
  readonly #families = new Counts();
  readonly #scopes = new Counts();
  readonly #findings: string[] = [];
  #pairs = 0;
  #explained = 0;
  #neighbours = 0;

  constructor(draw: Draw, side: Side) {
    this.#draw = draw;
    this.#side = side;
  }

  get hasFound(): boolean {
    return this.#findings.length > 0;
  }

  async run(world: World, questions: readonly Question[]): Promise<void> {
    const replies = await this.#side.ask(questions.map(packetOf));
    const isExplained = (i: number) => i % explainedEvery === 0;
    const explanations = await this.#side.explain?.(questions.filter((_, i) => isExplained(i)));
    const neighbours: { readonly question: Question; readonly of: ServerResult }[] = [];
    for (const [i, question] of questions.entries()) {
      this.#pairs++;
      const outcomes = this.#outcomes(world, question);
      const result = this.#judge("packet", question, outcomes, () => {
        assertSubnet(replies[i]!, question.subnet);
        return resultOfPacket(replies[i]!);
      });
      if (result === undefined) continue;
      this.#count(question, result);
      const isSure = !outcomes.some(isDrawn);
      const explanation = isExplained(i) ? explanations?.[i / explainedEvery] : undefined;
      if (explanation) {
        this.#explained++;
        this.#judge("explain", question, outcomes, () => {
          const explained = resultOfExplain(explanation);
          assertTrace(explanation, explained, world.records);
          if (isSure) assertSame(result, explained, replies[i]!.length - explanation.octets);
          return explained;
        });
      }
      if (!isSure) continue;
      const { subnet } = question;
      // with a source prefix of 0, the client stays unknown, and the answer is for the sender of the packet
      if (subnet && subnet.source > 0)
        neighbours.push({ question: { ...question, subnet: this.#neighbour(subnet, result.scope) }, of: result });
    }
    await this.#askNeighbours(world, neighbours);
  }

  report(): Report {
    const filters = Object.fromEntries(
      Object.entries(this.#ran.all).map(([name, ran]) => [name, { ran, acted: this.#acted.all[name] ?? 0 }]),
    );
    return {
      pairs: this.#pairs,
      explained: this.#explained,
      filters,
      facts: this.#facts.all,
      families: this.#families.all,
      scopes: this.#scopes.all,
      neighbours: this.#neighbours,
      findings: this.#findings,
    };
  }

  /**
   * RFC 7871 section 7.3.1: an answer may be given to all clients in its scope, so all of these must get the same
   * answer.
   */
  async #askNeighbours(world: World, asked: readonly { readonly question: Question; readonly of: ServerResult }[]) {
    const replies = await this.#side.ask(asked.map(({ question }) => packetOf(question)));
    for (const [i, { question, of }] of asked.entries()) {
      this.#neighbours++;
      const outcomes = outcomesOf(world, askingOf(question));
      const result = this.#judge("packet to a neighbour", question, outcomes, () => resultOfPacket(replies[i]!));
      if (result && JSON.stringify(result) !== JSON.stringify(of)) {
        this.#found(
          "a neighbour gets another answer",
          question,
          outcomes,
          `${JSON.stringify(result)}\n  ${JSON.stringify(of)}`,
        );
      }
    }
  }

  /** An address with the same first `scope` bits, often with the next bit flipped. */
  #neighbour(subnet: ClientSubnet, scope: number): ClientSubnet {
    const { family } = subnet;
    const bits = bitsOf(family);
    const turned = scope < bits && this.#draw.chance(0.5) ? 1n << BigInt(bits - scope - 1) : 0n;
    const value = turned === 0n ? within(this.#draw, around(subnet, scope)) : subnet.value ^ turned;
    return subnetOf({ family, value }, bits);
  }

  #outcomes(world: World, question: Question): Outcome[] {
    const ran = new Map<string, boolean>();
    const facts = new Set<ReadName>();
    const notes: Notes = {
      ran: (filter, acted) => ran.set(filter, acted || ran.get(filter) === true),
      read: (name) => facts.add(name),
    };
    const outcomes = outcomesOf(world, askingOf(question), notes);
    for (const [filter, acted] of ran) {
      this.#ran.add(filter);
      if (acted) this.#acted.add(filter);
    }
    for (const fact of facts) this.#facts.add(fact);
    return outcomes;
  }

  #judge(
    who: string,
    question: Question,
    outcomes: readonly Outcome[],
    read: () => ServerResult,
  ): ServerResult | undefined {
    try {
      const result = read();
      if (!outcomes.some((outcome) => allows(outcome, result)))
        this.#found(who, question, outcomes, JSON.stringify(result));
      return result;
    } catch (error) {
      this.#found(who, question, outcomes, String(error));
      return undefined;
    }
  }

  #count({ subnet }: Question, { scope }: ServerResult) {
    this.#families.add(subnet ? `IPv${subnet.family}` : "none");
    if (subnet) this.#scopes.add(scope === 0 ? "0" : scope <= subnet.source ? "within source" : "beyond source");
  }

  #found(what: string, { record, domain, type, subnet }: Question, outcomes: readonly Outcome[], result: string) {
    const allowed = outcomes.slice(0, 3).map(({ links, depth }) => {
      const shown = links.map(({ record: link, items }) => `${link.domain} [${items.map(({ answer }) => answer)}]`);
      return `${shown.join(" ")} scope at most ${depth}`;
    });
    this.#findings.push(
      [
        `${what}: ${domain} ${type} from ${subnet ? printSubnet(subnet) : "no subnet"}`,
        `  ${result}`,
        `  allowed, of ${outcomes.length}: ${allowed.join("; ")}`,
        `  ${JSON.stringify(record)}`,
      ].join("\n"),
    );
  }
}

function assertSame(result: ServerResult, explained: ServerResult, octets: number): void {
  if (JSON.stringify(explained) !== JSON.stringify(result))
    throw new Error(`the packet says ${JSON.stringify(result)}, explain ${JSON.stringify(explained)}`);
  if (octets !== 0) throw new Error(`the packet is ${octets} octets longer than explain says`);
}

/** The question in the model's form. */
export const askingOf = ({ domain, type, subnet }: Question) => ({
  ...{ domain, type, source: scan(loopback) },
  subnet: subnet && subnet.source > 0 ? subnet : undefined,
});

/** Whether the answer depends on chance. */
export const isDrawn = ({ links }: Outcome) =>
  links.some(({ record }) => record.filters.some(({ filter, disabled }) => !isYes(disabled) && drawing.has(filter)));

class Counts {
  readonly all: Record<string, number> = {};

  add(name: string): void {
    this.all[name] = (this.all[name] ?? 0) + 1;
  }
}
