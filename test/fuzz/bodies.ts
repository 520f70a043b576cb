/** Valid and invalid zone files and bodies for the API, sent while packets are sent. */

import { type Draw, drawFrom } from "../interop/differential/draw.ts";
import { seededRandom } from "../machine/random.ts";
import type { Ledger } from "./ledger.ts";
import type { Target } from "./target.ts";

/** The pause between two bodies in milliseconds, so that packets have the machine to themselves most of the time. */
const pause = 30;
const patience = 30_000;

export class BodySender {
  readonly statuses = new Map<number, number>();
  readonly #draw: Draw;
  readonly #target: Target;
  readonly #ledger: Ledger;
  #ended = false;
  #running: Promise<void> | undefined;

  constructor(seed: number, target: Target, ledger: Ledger) {
    this.#draw = drawFrom(seededRandom(seed));
    this.#target = target;
    this.#ledger = ledger;
  }

  get sent(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let number = 0; !this.#ended && !this.#ledger.isOver; number++) {
      const zone = `fuzz${number % 10}.test`;
      await this.#send("PUT", `import/zonefile/${zone}`, drawZoneFile(this.#draw, zone), "text/plain");
      await this.#send("PUT", `zones/${zone}/a.${zone}/A`, drawJson(this.#draw, zone), "application/json");
      if (number % 3 === 2) await this.#send("DELETE", `zones/${zone}`, "", "application/json");
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Any body may be refused, but none may cause an internal error. */
  async #send(method: string, path: string, body: string, type: string): Promise<void> {
    const { url, key } = this.#target.service;
    const headers = { "X-SERVICE-Key": key, ...(body === "" ? {} : { "Content-Type": type }) };
    const signal = AbortSignal.timeout(patience);
    const options = { method, headers, signal, ...(body === "" ? {} : { body: Buffer.from(body, "latin1") }) };
    const { status, text } = await fetch(`${url}/v1/${path}`, options).then(
      async (reply) => ({ status: reply.status, text: await reply.text() }),
      (error) => ({ status: 0, text: String(error) }),
    );
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status >= 200 && status < 500) return;
    this.#ledger.find("api", `${method} ${path}: ${status} ${text.slice(0, 300)}`, Buffer.from(body, "latin1"));
  }
}

const types = [
  "A",
  "AAAA",
  "NS",
  "MX",
  "TXT",
  "CNAME",
  "SRV",
  "SOA",
  "CAA",
  "NAPTR",
  "TYPE731",
  "DNAME",
  "SVCB",
  "BOGUS",
];
const pieces = [
  "@",
  "www",
  "*",
  "a.b",
  "\\000",
  "\\.",
  "\\256",
  '"',
  "(",
  ")",
  ";",
  "x".repeat(64),
  "",
  "10",
  "-1",
  "1h",
];
const values = [
  "192.0.2.1",
  "2001:db8::1",
  "10 mail",
  '"text"',
  '"',
  "\\# 4 c0000201",
  "\\# 9 00",
  "0 issue x",
  "1 . alpn=h2",
];

function drawZoneFile(draw: Draw, zone: string): string {
  const lines = [`$ORIGIN ${zone}.`, "$TTL 300", "@ IN SOA ns1 hostmaster 1 2 3 4 5", "@ NS ns1", "ns1 A 192.0.2.1"];
  const odd = () => {
    switch (draw.number(0, 9)) {
      case 0:
        return draw.pick([
          "$INCLUDE /etc/passwd",
          "$GENERATE 1-9 h$ A 192.0.2.$",
          "$GENERATE 1-99999999 a A 1",
          "$TTL",
          "$ORIGIN .",
        ]);
      case 1:
        return Array.from({ length: draw.number(0, 60) }, () => String.fromCharCode(draw.number(0, 255))).join("");
      case 2:
        return `${draw.pick(pieces)} ${draw.pick(pieces)} ${draw.pick(types)} ${draw.pick(pieces)}`;
      case 3:
        return `t ( TXT ${`"${"x".repeat(draw.number(0, 300))}"\n`.repeat(draw.number(0, 4))}`;
      default:
        return `${draw.pick(pieces)} ${draw.pick(["", "60", "IN", "CH"])} ${draw.pick(types)} ${draw.pick(values)}`;
    }
  };
  const isSound = draw.chance(0.3);
  for (let count = draw.number(0, 12); count > 0; count--) {
    lines.push(isSound ? `h${count} A ${draw.address()}` : odd());
  }
  const text = lines.join(draw.pick(["\n", "\n", "\r\n"]));
  return draw.chance(0.1) ? text.slice(0, draw.number(0, text.length)) : text;
}

function drawJson(draw: Draw, zone: string): string {
  const body = {
    zone: draw.chance(0.9) ? zone : drawValue(draw, 2),
    domain: `a.${zone}`,
    type: draw.chance(0.8) ? "A" : drawValue(draw, 1),
    answers: draw.chance(0.5) ? [{ answer: [draw.address()] }] : drawValue(draw, 4),
    ...(draw.chance(0.3) ? { filters: drawValue(draw, 4) } : {}),
    ...(draw.chance(0.3) ? { meta: drawValue(draw, 4) } : {}),
  };
  const text = JSON.stringify(body);
  return draw.chance(0.2) ? text.slice(0, draw.number(1, text.length)) : text;
}

function drawValue(draw: Draw, depth: number): unknown {
  const simple = [null, true, 0, -1, 1e308, "", "A", "192.0.2.1", "__proto__", "\u0000", "x".repeat(300)];
  if (depth === 0 || draw.chance(0.3)) return draw.pick(simple);
  const length = draw.number(0, 3);
  if (draw.chance(0.5)) return Array.from({ length }, () => drawValue(draw, depth - 1));
  const keys = ["answer", "meta", "up", "filter", "config", "N", "region", "feed", "id", "__proto__"];
  return Object.fromEntries(Array.from({ length }, () => [draw.pick(keys), drawValue(draw, depth - 1)]));
}
