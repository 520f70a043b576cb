/** The service's health during fuzzing: answers to plain queries, replacements, faults in the log, and memory. */
import { exchange } from "../../src/net/client/exchange.ts";
import { summary } from "../engine/states.ts";
import { proportionalOctets } from "../flows/wire/memory.ts";
import { metric } from "../flows/wire/metrics.ts";
import { processesBelow } from "../machine/proc.ts";
import { queryOf } from "../scenarios/image.ts";
import type { Target } from "./target.ts";

const every = 2000;
const question = { name: "www.probe.lab.", type: "A", id: 77 };
const answer = "NOERROR 192.0.2.10";
const mega = 1 << 20;
/** Megabytes by which a warm process may grow; garbage collection takes time. */
const mostGrowth = { edge: 96, control: 128 };
/** Counters that must stay 0. */
const faultless = [
  ...["fairlead_edge_worker_restarts_total", "fairlead_edge_worker_spins_total", "fairlead_dns_faults_total"],
  ...["fairlead_edge_names_reverted", "fairlead_edge_zones_shut", "fairlead_edge_refused_total"],
];

/** The ledger for findings. */
interface Findings {
  readonly isOver: boolean;
  find(where: "service", what: string): void;
}

/** Memory in MB. */
export interface Sample {
  readonly seconds: number;
  readonly edge: number;
  readonly control: number;
}

export class Watch {
  readonly samples: Sample[] = [];
  plain = 0;
  readonly #target: Target;
  readonly #ledger: Findings;
  readonly #onSample: (sample: Sample) => void;
  readonly #began = performance.now();
  readonly #reported = new Set<string>();
  #ended = false;
  #running: Promise<void> | undefined;

  constructor(target: Target, ledger: Findings, onSample: (sample: Sample) => void) {
    this.#target = target;
    this.#ledger = ledger;
    this.#onSample = onSample;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#ended = true;
    await this.#running;
    await this.#check();
    for (const role of ["edge", "control"] as const) this.#judgeGrowth(role);
  }

  async #run(): Promise<void> {
    while (!this.#ended && !this.#ledger.isOver) {
      await this.#check();
      for (let waited = 0; waited < every && !this.#ended; waited += 100) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  async #check(): Promise<void> {
    const { service, edge, control, ports } = this.#target;
    for (const transport of ["udp", "tcp"] as const) {
      const server = { address: "127.0.0.1", port: ports.dns, transport, timeout: 10_000, attempts: 5 };
      const found = await exchange(server, queryOf(question)).then(summary, String);
      if (found === answer) this.plain++;
      else this.#report(`a plain query over ${transport}: ${found}`);
    }
    const running = processesBelow(service.daemon.pid).map(({ pid }) => pid);
    for (const [role, pid] of Object.entries({ edge, control })) {
      if (!running.includes(pid)) this.#report(`the process of ${role} ended`);
    }
    for (const name of faultless) {
      const count = await metric(`${service.operator}/metrics`, name).catch(String);
      if (count !== 0) this.#report(`${name} is ${count}`);
    }
    this.#sample();
  }

  /** Reports each fault once, since it persists. */
  #report(what: string): void {
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    this.#ledger.find("service", `${what}\n${this.#target.service.daemon.printed.slice(-2000)}`);
  }

  #sample(): void {
    try {
      const [edge, control] = [this.#target.edge, this.#target.control].map((pid) =>
        Math.round(proportionalOctets(pid) / mega),
      );
      const seconds = Math.round((performance.now() - this.#began) / 1000);
      const sample = { seconds, edge: edge!, control: control! };
      this.samples.push(sample);
      this.#onSample(sample);
    } catch {
      // the process has ended, which is reported already
    }
  }

  /** Compares the minima of the second and the last third: they show live memory, without garbage. */
  #judgeGrowth(role: "edge" | "control"): void {
    const third = Math.floor(this.samples.length / 3);
    if (third === 0) return;
    const least = (from: number, to?: number) =>
      Math.min(...this.samples.slice(from, to).map((sample) => sample[role]));
    const growth = least(2 * third) - least(third, 2 * third);
    if (growth > mostGrowth[role]) this.#report(`${role} grew by ${growth} MB once it was warm`);
  }
}
