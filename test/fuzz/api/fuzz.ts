/** One run: starts a service, sends requests that no client should send, and watches the service. */

import { drawFrom } from "../../interop/differential/draw.ts";
import { seededRandom } from "../../machine/random.ts";
import { Browser } from "../../service/browser.ts";
import type { Service } from "../../service/kit.ts";
import { mailsTo } from "../../service/mails.ts";
import { startTarget } from "../target.ts";
import { type Sample, Watch } from "../watch.ts";
import { runLane } from "./lane.ts";
import { Ledger } from "./ledger.ts";
import { operationsOf } from "./operations.ts";
import { type Callers, RequestMaker } from "./requests.ts";
import { Known } from "./sound.ts";

export interface ApiFuzzOptions {
  readonly seed: number;
  readonly requests: number;
  readonly edition?: string;
  /** Megabytes of JavaScript heap of each process: few, so that leaks show among garbage. */
  readonly heap?: number;
  readonly onSample?: (sample: Sample) => void;
  /** Ends the run early. */
  readonly signal?: AbortSignal;
}

export interface ApiReport {
  readonly seed: number;
  readonly ledger: Ledger;
  readonly seconds: number;
  readonly samples: readonly Sample[];
  /** How many plain queries in between were answered. */
  readonly plain: number;
  readonly operations: number;
}

const lanes = 6;
const limited = new Set(["dns.view_zones"]);

export async function fuzzApi(options: ApiFuzzOptions): Promise<ApiReport> {
  const { seed, requests, edition = "managed", heap, onSample = () => {}, signal } = options;
  const target = await startTarget(["--edition", edition], heap === undefined ? [] : [`--max-old-space-size=${heap}`]);
  const ledger = new Ledger(signal);
  const watch = new Watch(target, ledger, onSample);
  const began = performance.now();
  let count = 0;
  try {
    const operations = await operationsOf(target.service.url);
    count = operations.length;
    const callers = await callersOf(target.service);
    const known = new Known();
    watch.start();
    await Promise.all(
      Array.from({ length: lanes }, (_, lane) => {
        const maker = new RequestMaker(drawFrom(seededRandom(seed * 1000 + lane)), operations, callers, known);
        return runLane({ target, ledger, maker, known, limited, requests: Math.ceil(requests / lanes) });
      }),
    );
    await watch.stop();
  } finally {
    const code = await target.service.stop();
    if (code !== 0) ledger.find("service", `ended with ${code}\n${target.service.daemon.printed.slice(-2000)}`);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { seed, ledger, seconds, samples: watch.samples, plain: watch.plain, operations: count };
}

async function callersOf(service: Service): Promise<Callers> {
  return {
    full: [["X-SERVICE-Key", service.key]],
    limited: [["X-SERVICE-Key", await limitedKey(service)]],
    user: await sessionOf(service),
  };
}

/** The headers from the browser of a user with all rights. */
async function sessionOf(service: Service): Promise<[string, string][]> {
  const email = "fuzzer@example.com";
  const names = { name: "Fuzzer", username: "fuzzer", email };
  const body = { ...names, permissions: {}, notify: { billing: false } };
  // in edition ddi no mail is sent
  const { body: made } = await service.api<{ invite_token?: string }>("PUT", "account/users", body);
  const token = async () =>
    made.invite_token ?? /#([\w-]+)/.exec((await mailsTo(service.data, email))[0]?.text ?? "")?.[1];
  await service.daemon.until(async () => (await token()) !== undefined, 60_000);
  const origin = service.url;
  const page = new Browser(service.url, { Origin: origin });
  await page.must("POST", "auth/invitation", { token: await token(), password: "correct horse battery staple" });
  return [
    ["Cookie", page.cookie!],
    ["X-CSRF-Token", page.csrf],
    ["Origin", origin],
  ];
}

/** A key that reads zones and does nothing else. */
async function limitedKey(service: Service): Promise<string> {
  type Made = { readonly key: string; readonly permissions: Record<string, Record<string, unknown>> };
  const make = async (permissions: object) =>
    (await service.api<Made>("PUT", "account/apikeys", { name: `limited ${Math.random()}`, permissions })).body;
  const { permissions } = await make({});
  const none = Object.entries(permissions).map(([group, rights]) => {
    const names = Object.keys(rights).filter((name) => typeof rights[name] === "boolean");
    return [group, Object.fromEntries(names.map((name) => [name, limited.has(`${group}.${name}`)]))] as const;
  });
  const held = Object.fromEntries(none);
  return (await make({ ...held, dns: { ...held["dns"], zones_allow_by_default: true } })).key;
}

/** The report in one line. */
export function printApi({ seed, ledger, seconds, samples, plain, operations }: ApiReport): string {
  const [first, last] = [samples[0], samples.at(-1)];
  const answered = [...ledger.statuses.values()].reduce((sum, count) => sum + count, 0);
  const found = ledger.findings.length === 0 ? "nothing found" : `${ledger.findings.length} FOUND`;
  return (
    `fuzz: API, seed ${seed}, ${ledger.sent} requests in ${seconds} s, ${answered} replies judged, ` +
    `${ledger.done.size} of ${operations} operations were done; ${plain} plain queries answered; ` +
    `edge ${first?.edge} to ${last?.edge} MB, control ${first?.control} to ${last?.control} MB; ${found}`
  );
}

export const printApiFindings = ({ ledger }: ApiReport): string =>
  ledger.findings.map((finding) => `  ${finding}\n`).join("");
