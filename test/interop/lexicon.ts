/** Debian's lexicon, unmodified, with its provider whose API host is fixed: a proxy redirects that host to a service here. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, run } from "../machine/processes.ts";
import { type Service, service } from "../service/kit.ts";
import { type HostProxy, startProxy } from "./proxy.ts";

export interface Listed {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly content: string;
  readonly ttl: number;
}

export interface Lexicon extends AsyncDisposable {
  readonly service: Service;
  readonly proxy: HostProxy;
  /** The variables that lead lexicon to the service. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs lexicon with an API key: `create example.com A --name www --content 192.0.2.1`. */
  run(key: string, ...command: readonly string[]): Promise<Ended>;
  /** Runs lexicon, which must succeed; returns its list. */
  must(key: string, ...command: readonly string[]): Promise<readonly Listed[]>;
  /** The content of a record as dig shows it; NS records are in the authority section of a referral. */
  seen(domain: string, type: string): Promise<readonly string[]>;
}

export async function startLexicon(): Promise<Lexicon> {
  const running = await service();
  const proxy = await startProxy("api.nsone.net", running.url);
  const home = mkdtempSync(join(tmpdir(), "fairlead-lexicon-"));
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TLDEXTRACT_CACHE: home,
    HTTPS_PROXY: proxy.url,
    REQUESTS_CA_BUNDLE: proxy.ca,
  };
  const start = (key: string, ...command: readonly string[]) =>
    run("lexicon", ["nsone", ...command, "--auth-token", key, "--output", "JSON"], { env, cwd: home });
  return {
    service: running,
    proxy,
    env,
    run: start,
    async must(key, ...command) {
      const { code, out, err } = await start(key, ...command);
      if (code !== 0) throw new Error(`lexicon ${command.join(" ")} ended with ${code}\n${out}${err}`);
      return command[0] === "list" ? JSON.parse(out) : [];
    },
    async seen(domain, type) {
      const section = type === "NS" ? "+authority" : "+answer";
      const lines = (await running.dig(`${domain} ${type}`, "+noall", section)).split("\n");
      return lines
        .map((line) => line.split(/\s+/))
        .filter((fields) => fields[3] === type)
        .map((fields) => fields.slice(4).join(" ").replaceAll('"', ""))
        .sort();
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await running.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
