/** The whole service for a test: `fairlead serve` as a user starts it, spoken to over its API and over DNS. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Daemon, freePort, output } from "../machine/processes.ts";
import { copyStore } from "../store/made-store.ts";

export const tree = resolve(import.meta.dirname, "../..");
const nodeOf = (sources: string) => join(sources, "node_modules/.bin/node");
export const node = nodeOf(tree);

/** A service runs as who starts it, root too: test/flows/root.test.ts and start.test.ts test what root does otherwise. */
export const asStarted: readonly string[] = process.getuid?.() === 0 ? ["--user", "root"] : [];

export interface Reply<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface ServiceOptions {
  /** Further flags of `fairlead serve`. */
  readonly flags?: readonly string[];
  /** The level of the log that it prints; by default, warnings. */
  readonly log?: string;
  /** A data directory to keep; otherwise one is made, and removed at the end. */
  readonly data?: string;
  /** The ports, for a service that starts again in the same place. */
  readonly ports?: { readonly http: number; readonly dns: number; readonly metrics?: number };
  /** The start of the command line, such as `unshare --mount ...`; the service's own command follows. */
  readonly inside?: readonly string[];
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[];
  /** By default it runs as who starts it. */
  readonly user?: readonly string[];
  /** The source tree to run; this one when left out. */
  readonly sources?: string;
  /** Whether it serves the portal, which takes some seconds to build in a new checkout. */
  readonly portal?: boolean;
  /** The command line of the program, if it is not that of the source tree. */
  readonly program?: readonly string[];
}

/** Starts a service and waits until it is ready. */
export async function service(options: ServiceOptions = {}): Promise<Service> {
  const given = options.ports ?? { http: await freePort(), dns: await freePort() };
  const ports = { ...given, metrics: given.metrics ?? (await freePort()) };
  const data = options.data ?? (await newDirectory(options));
  const started = new Service(ports, data, options);
  await started.ready();
  return started;
}

/**
 * A data directory. In a test run, a usual service gets a store with it; test/flows/root.test.ts, start.test.ts and
 * packed.test.ts test first starts.
 */
async function newDirectory({ inside, program, sources, user, flags = [] }: ServiceOptions): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-"));
  const isUsual = [inside, program, sources, user].every((option) => option === undefined);
  if (process.env["VITEST"] && isUsual && !flags.includes("--database-url")) await copyStore(directory);
  return directory;
}

export class Service {
  readonly daemon: Daemon;
  readonly url: string;
  /** The operator's listener: metrics, and the state of the parts. */
  readonly operator: string;
  readonly port: number;
  readonly data: string;
  #temporary: boolean;

  constructor(
    ports: { http: number; dns: number; metrics: number },
    data: string,
    {
      data: kept,
      flags = [],
      log = "warn",
      inside = [],
      nodeFlags = [],
      sources = tree,
      // an earlier tree may not know the flag
      user = sources === tree ? asStarted : [],
      portal = sources !== tree,
      program = [nodeOf(sources), ...nodeFlags, join(sources, "bin/fairlead.js")],
    }: ServiceOptions,
  ) {
    const http = `127.0.0.1:${ports.http}`;
    const own = [
      "--http",
      http,
      "--dns",
      `127.0.0.1:${ports.dns}`,
      "--metrics",
      `127.0.0.1:${ports.metrics}`,
      "--data",
      data,
      "--log",
      log,
      "--deletion-guard",
      "100",
      ...(portal ? [] : ["--no-portal"]),
    ];
    const [file = node, ...args] = [...inside, ...program, "serve", ...own, ...user, ...flags];
    this.daemon = new Daemon(file, args, { cwd: sources });
    this.url = `http://${http}`;
    this.operator = `http://127.0.0.1:${ports.metrics}`;
    this.port = ports.dns;
    this.data = data;
    this.#temporary = kept === undefined;
  }

  /** The first API key, from the file that the service writes for its operator. */
  get key(): string {
    return JSON.parse(readFileSync(join(this.files, "credentials.json"), "utf8")).key;
  }

  /** The data directory as the service sees it: it may have mounts of its own. */
  get files(): string {
    return `/proc/${this.daemon.pid}/root${this.data}`;
  }

  ready(): Promise<void> {
    return this.daemon.until(async () => {
      const reply = await fetch(`${this.url}/readyz`).catch(() => undefined);
      return reply?.status === 200;
    }, 120_000);
  }

  /** A call of the API; `path` begins after `/v1/`. Any status is a value. */
  async api<T = unknown>(method: string, path: string, body?: unknown): Promise<Reply<T>> {
    const reply = await fetch(`${this.url}/v1/${path}`, {
      method,
      headers: { "X-SERVICE-Key": this.key, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as T };
  }

  /** Like `api`, and throws unless the status is 200. */
  async must<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.api<T>(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  /** Creates a zone. */
  async zone(zone: string, fields: object = {}): Promise<void> {
    await this.must("PUT", `zones/${zone}`, { zone, ...fields });
  }

  /** Creates or replaces a record, named as in a question: `put("example.com", "www.example.com A", ["192.0.2.1"])`. */
  async put(zone: string, question: string, ...answers: readonly (readonly (string | number)[])[]): Promise<void> {
    const [domain, type] = split(question);
    await this.must("POST", `zones/${zone}/records`, {
      put: [{ domain, type, answers: answers.map((answer) => ({ answer })) }],
    });
  }

  async remove(zone: string, question: string): Promise<void> {
    await this.must("DELETE", `zones/${zone}/${split(question).join("/")}`);
  }

  /** The answer section for a question such as `www.example.com A`, one line a record, as dig prints it. */
  async ask(question: string, ...flags: readonly string[]): Promise<string[]> {
    return answerLines(await this.dig(question, "+noall", "+answer", ...flags));
  }

  dig(question: string, ...flags: readonly string[]): Promise<string> {
    return output("dig", ["@127.0.0.1", "-p", `${this.port}`, "+tries=2", "+time=2", ...split(question), ...flags]);
  }

  /** Ends the service as an operator does; returns its exit code. */
  async stop(): Promise<number | null> {
    const code = await this.daemon.end();
    if (this.#temporary) rmSync(this.data, { recursive: true, force: true });
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Presentation lines without the tool's tabs, in a fixed order. */
export const answerLines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(";"))
    .map((line) => line.split(/\s+/).join(" "))
    .sort();

function split(question: string): [name: string, type: string] {
  const [name = "", type = "A"] = question.split(" ");
  return [name, type];
}
