/** The requests, replies and findings of a run. */
import type { Reply } from "./replies.ts";
import type { FuzzRequest, Kind, Who } from "./requests.ts";

/** The number of findings after which a run ends. */
const mostFindings = 20;
const mostShown = 3000;

interface Slow {
  readonly milliseconds: number;
  readonly what: string;
}

export class Ledger {
  readonly kinds = new Map<Kind, number>();
  readonly statuses = new Map<number, number>();
  /** Operations that were carried out at least once. */
  readonly done = new Set<string>();
  /** Requests that were carried out, by caller. */
  readonly doneFor = new Map<Who, number>();
  readonly findings: string[] = [];
  sent = 0;
  slow: readonly Slow[] = [];
  #isUnwell = false;
  readonly #signal: AbortSignal | undefined;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return this.#isUnwell || this.findings.length >= mostFindings || this.#signal?.aborted === true;
  }

  send({ kind }: FuzzRequest): void {
    this.sent++;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  receive({ operation, who }: FuzzRequest, { status }: Reply, milliseconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (operation === undefined) return;
    if (status < 300) {
      this.done.add(operation.id);
      this.doneFor.set(who, (this.doneFor.get(who) ?? 0) + 1);
    }
    const slow = [...this.slow, { milliseconds: Math.round(milliseconds), what: `${operation.id} ${status}` }];
    this.slow = slow.sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 5);
  }

  /** Faults of the service itself. */
  find(_where: "service", what: string): void {
    this.#isUnwell = true;
    this.findings.push(what);
  }

  findIn({ kind, who, octets }: FuzzRequest, what: string, reply?: Reply): void {
    const sent = JSON.stringify(octets.toString("latin1").slice(0, mostShown));
    const came = reply ? `\n    ${JSON.stringify(`${reply.head}\r\n\r\n${reply.body}`.slice(0, mostShown))}` : "";
    this.findings.push(`${kind} by ${who}: ${what}\n    ${sent}${came}`);
  }
}
