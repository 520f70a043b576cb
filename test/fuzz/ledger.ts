/** The packets, replies and findings of a run. */
import type { Transport } from "./oracle.ts";
import type { Kind, Packet } from "./packets.ts";

export interface Finding {
  readonly what: string;
  readonly where: Transport | "api" | "service";
  /** In hexadecimal; several are the messages of one connection. */
  readonly packets: readonly string[];
}

/** The number of findings after which a run ends. */
const mostFindings = 5;

export class Ledger {
  readonly sent: Record<Transport, number> = { udp: 0, limited: 0, tcp: 0, tls: 0, https: 0 };
  readonly kinds = new Map<Kind, number>();
  readonly rcodes = new Map<number, number>();
  readonly findings: Finding[] = [];
  replies = 0;
  /** Packets that were sent again alone because no reply arrived. */
  suspects = 0;

  /** Packets without a reply when the run ended: one of them may be the cause. */
  readonly unanswered: Buffer[] = [];
  readonly #signal: AbortSignal | undefined;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether sending has stopped: enough findings, an unhealthy service, or the end of the run. */
  get isOver(): boolean {
    const { findings } = this;
    const isUnwell = findings.some(({ where }) => where === "service");
    return isUnwell || findings.length >= mostFindings || this.#signal?.aborted === true;
  }

  send(transport: Transport, { kind }: Packet): void {
    this.sent[transport]++;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  receive(reply: Buffer): void {
    this.replies++;
    const rcode = (reply[3] ?? 0) & 15;
    this.rcodes.set(rcode, (this.rcodes.get(rcode) ?? 0) + 1);
  }

  find(where: Finding["where"], what: string, ...packets: readonly Uint8Array[]): void {
    this.findings.push({ where, what, packets: packets.map((octets) => Buffer.from(octets).toString("hex")) });
  }
}
