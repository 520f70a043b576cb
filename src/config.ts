/** The configuration: one table of keys, read from flags, then `FAIRLEAD_*` variables, then a file. A bad value names its key. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import {
  apiKey,
  choice,
  cidr,
  cookieSecret,
  type DnstapTarget,
  databaseUrl,
  dnstapTarget,
  type Endpoint,
  endpoint,
  filled,
  hostName,
  integer,
  publicSuffix,
  rateLimit,
  serverId,
} from "./cli/values.ts";
import { invalid } from "./lib/problem.ts";

interface Key<T> {
  readonly flag: string;
  readonly value: string;
  readonly env: string;
  readonly desc: string;
  /** What counts when the key is left out, as `--help` says it. */
  readonly otherwise: string;
  readonly parse: (text: string) => T;
  readonly fallback: T;
  /** A list: the flag may be given again, the variable and the file hold several values divided by commas. */
  readonly repeat?: true;
  /** Concerns the edge alone, so that `fairlead reload` takes it over. */
  readonly reloads?: true;
}

const one = <T>(key: Omit<Key<T>, "repeat">): Key<T> => key;
const many = <T>(key: Omit<Key<T>, "repeat" | "fallback"> & { fallback: readonly T[] }) => ({
  ...key,
  repeat: true as const,
});

/** Everything that can be set. A key's name in the file is its flag without the dashes. */
const keys = {
  data: one({
    flag: "--data",
    value: "DIR",
    env: "FAIRLEAD_DATA",
    desc: "where the embedded store, the master key and the first credentials are kept",
    otherwise: "./data",
    parse: (text) => resolve(filled(text)),
    fallback: resolve("data"),
  }),
  http: one({
    flag: "--http",
    value: "ADDR:PORT",
    env: "FAIRLEAD_HTTP",
    desc: "where the API listens, with /healthz and /readyz",
    otherwise: "127.0.0.1:8080",
    parse: endpoint,
    fallback: { address: "127.0.0.1", port: 8080 },
  }),
  dns: many({
    flag: "--dns",
    value: "ADDR:PORT",
    env: "FAIRLEAD_DNS",
    desc: "where DNS is answered over UDP and TCP",
    otherwise: "127.0.0.1:5300",
    parse: endpoint,
    fallback: [{ address: "127.0.0.1", port: 5300 }],
    reloads: true,
  }),
  dot: many({
    flag: "--dot",
    value: "ADDR:PORT",
    env: "FAIRLEAD_DOT",
    desc: "where DNS is answered over TLS (RFC 7858; its port is 853)",
    otherwise: "none",
    parse: endpoint,
    fallback: [],
    reloads: true,
  }),
  doh: many({
    flag: "--doh",
    value: "ADDR:PORT",
    env: "FAIRLEAD_DOH",
    desc: "where DNS is answered over HTTPS, at /dns-query (RFC 8484; its port is 443)",
    otherwise: "none",
    parse: endpoint,
    fallback: [],
    reloads: true,
  }),
  tlsCert: one<string | undefined>({
    flag: "--tls-cert",
    value: "FILE",
    env: "FAIRLEAD_TLS_CERT",
    desc: "the certificate for --dot and --doh with its chain, in PEM; read again when it changes",
    otherwise: "self-signed, in the data directory",
    parse: (text) => resolve(filled(text)),
    fallback: undefined,
    reloads: true,
  }),
  tlsKey: one<string | undefined>({
    flag: "--tls-key",
    value: "FILE",
    env: "FAIRLEAD_TLS_KEY",
    desc: "the private key of that certificate, in PEM; read again when it changes",
    otherwise: "that of the self-signed one",
    parse: (text) => resolve(filled(text)),
    fallback: undefined,
    reloads: true,
  }),
  dnsProxy: many({
    flag: "--dns-proxy",
    value: "CIDR",
    env: "FAIRLEAD_DNS_PROXY",
    desc: "proxies before DNS: their connections over TCP, TLS and HTTPS begin with a PROXY header, version 2",
    otherwise: "none",
    parse: cidr,
    fallback: [],
    reloads: true,
  }),
  egressAllow: one<readonly string[] | undefined>({
    flag: "--egress-allow",
    value: "CIDR,...",
    env: "FAIRLEAD_EGRESS_ALLOW",
    desc: "addresses beyond public ones that zones may be exchanged with: transfers in, and notices out",
    otherwise: "loopback and private networks while --http is on loopback only, else none",
    parse: (text) => (text === "none" ? [] : text.split(",").map((part) => cidr(part.trim()))),
    fallback: undefined,
  }),
  metrics: one<Endpoint | undefined>({
    flag: "--metrics",
    value: "ADDR:PORT",
    env: "FAIRLEAD_METRICS",
    desc: "where Prometheus metrics are served",
    otherwise: "with the API when that is on loopback, else 127.0.0.1:9153",
    parse: endpoint,
    fallback: undefined,
  }),
  databaseUrl: one<string | undefined>({
    flag: "--database-url",
    value: "URL",
    env: "DATABASE_URL",
    desc: "a PostgreSQL of your own, version 15 or newer",
    otherwise: "the embedded one",
    parse: databaseUrl,
    fallback: undefined,
  }),
  postgresBin: one<string | undefined>({
    flag: "--postgres-bin",
    value: "DIR",
    env: "PG_BIN_DIR",
    desc: "PostgreSQL programs to run as the embedded store",
    otherwise: "those of the package",
    parse: (text) => resolve(filled(text)),
    fallback: undefined,
  }),
  masterKeyFile: one<string | undefined>({
    flag: "--master-key-file",
    value: "FILE",
    env: "FAIRLEAD_MASTER_KEY_FILE",
    desc: "the key that seals secrets in the store; made at the first start",
    otherwise: "master.key in the data directory",
    parse: (text) => resolve(filled(text)),
    fallback: undefined,
  }),
  nameservers: many({
    flag: "--nameservers",
    value: "NAME",
    env: "FAIRLEAD_NAMESERVERS",
    desc: "name servers that new zones are given in network 0",
    otherwise: "dns1.p01.fairlead.test to dns4.p01.fairlead.test",
    parse: hostName,
    fallback: [],
  }),
  networks: one<string | undefined>({
    flag: "--networks",
    value: "FILE",
    env: "FAIRLEAD_NETWORKS",
    desc: "networks that zones can be placed on and the pools of their name servers, in JSON (docs/operating.md)",
    otherwise: "network 0 with one pool, the --nameservers",
    parse: (text) => resolve(filled(text)),
    fallback: undefined,
  }),
  serveNetworks: many({
    flag: "--serve-networks",
    value: "ID",
    env: "FAIRLEAD_SERVE_NETWORKS",
    desc: "networks whose zones this edge answers for",
    otherwise: "all",
    parse: integer(0, 2 ** 31 - 1),
    fallback: [],
    reloads: true,
  }),
  apiKey: one<string | undefined>({
    flag: "--api-key",
    value: "KEY",
    env: "FAIRLEAD_API_KEY",
    desc: "string of the first API key, which counts at the first start only; demo and explain call the API with it",
    otherwise: "generated; the one in the data directory",
    parse: apiKey,
    fallback: undefined,
  }),
  edition: one<"managed" | "ddi">({
    flag: "--edition",
    value: "EDITION",
    env: "FAIRLEAD_EDITION",
    desc: "managed or ddi: which fields and endpoints exist, and whether zones may be named after public suffixes",
    otherwise: "managed",
    parse: choice("managed", "ddi"),
    fallback: "managed",
  }),
  allowSuffix: many({
    flag: "--allow-suffix",
    value: "NAME",
    env: "FAIRLEAD_ALLOW_SUFFIX",
    desc: "public suffixes that may be zones all the same",
    otherwise: "none",
    parse: publicSuffix,
    fallback: [],
  }),
  geo: many({
    flag: "--geo",
    value: "FILE",
    env: "FAIRLEAD_GEO",
    desc: "files that say where clients are: MaxMind DB, list of ranges or overrides (docs/geo.md); read again when they change",
    otherwise: "none: locations are unknown",
    parse: (text) => resolve(filled(text)),
    fallback: [],
  }),
  keepHistory: one({
    flag: "--keep-history",
    value: "DAYS",
    env: "FAIRLEAD_KEEP_HISTORY",
    desc: "how long the versions of zones are kept that nobody saved",
    otherwise: "365",
    parse: integer(1, 36_500),
    fallback: 365,
  }),
  keepDeleted: one({
    flag: "--keep-deleted",
    value: "DAYS",
    env: "FAIRLEAD_KEEP_DELETED",
    desc: "how long a deleted zone can be brought back, and no other account can take its name",
    otherwise: "30",
    parse: integer(0, 36_500),
    fallback: 30,
  }),
  deletionGuard: one({
    flag: "--deletion-guard",
    value: "PERCENT",
    env: "FAIRLEAD_DELETION_GUARD",
    desc: "of an account's zones or a zone's records: who deletes more must confirm it; 100 asks for nothing",
    otherwise: "30",
    parse: integer(0, 100),
    fallback: 30,
  }),
  rateLimit: one({
    flag: "--rate-limit",
    value: "N/SECONDS",
    env: "FAIRLEAD_RATE_LIMIT",
    desc: "API requests allowed per account and method",
    otherwise: "10000/1",
    parse: rateLimit,
    fallback: { limit: 10_000, period: 1 },
  }),
  importLimit: one({
    flag: "--import-limit",
    value: "MB",
    env: "FAIRLEAD_IMPORT_LIMIT",
    desc: "the largest zone file that is imported, in megabytes (2^20 octets)",
    otherwise: "256",
    parse: integer(1, 65_536),
    fallback: 256,
  }),
  trustedProxy: many({
    flag: "--trusted-proxy",
    value: "CIDR",
    env: "FAIRLEAD_TRUSTED_PROXY",
    desc: "proxies whose X-Forwarded-For is believed",
    otherwise: "none",
    parse: cidr,
    fallback: [],
  }),
  cookieSecret: many({
    flag: "--cookie-secret",
    value: "HEX",
    env: "FAIRLEAD_COOKIE_SECRET",
    desc: "secrets of DNS cookies, 32 hexadecimal digits: the first makes cookies, the others are still taken",
    otherwise: "one that all edges of a store share, changed daily",
    parse: cookieSecret,
    fallback: [],
    reloads: true,
  }),
  nsid: one<string | undefined>({
    flag: "--nsid",
    value: "TEXT",
    env: "FAIRLEAD_NSID",
    desc: "what identifies this server to clients that ask with NSID, 64 octets at most",
    otherwise: "none: NSID is ignored",
    parse: serverId,
    fallback: undefined,
    reloads: true,
  }),
  dnsLimit: one({
    flag: "--dns-limit",
    value: "N",
    env: "FAIRLEAD_DNS_LIMIT",
    desc: "answers a second over UDP to an IPv4 /24 or IPv6 /56, without a valid DNS cookie; 0 for no limit",
    otherwise: "0",
    parse: integer(0, 1_000_000),
    fallback: 0,
    reloads: true,
  }),
  dnsErrorLimit: one({
    flag: "--dns-error-limit",
    value: "N",
    env: "FAIRLEAD_DNS_ERROR_LIMIT",
    desc: "the same for answers that say what is wrong with a query",
    otherwise: "100",
    parse: integer(0, 1_000_000),
    fallback: 100,
    reloads: true,
  }),
  dnsLimitExempt: many({
    flag: "--dns-limit-exempt",
    value: "CIDR",
    env: "FAIRLEAD_DNS_LIMIT_EXEMPT",
    desc: "clients without these limits",
    otherwise: "127.0.0.0/8 and ::1",
    parse: cidr,
    fallback: ["127.0.0.0/8", "::1"],
    reloads: true,
  }),
  dnstap: one<DnstapTarget | undefined>({
    flag: "--dnstap",
    value: "FILE|unix:SOCKET",
    env: "FAIRLEAD_DNSTAP",
    desc: "where queries and their answers are logged as dnstap: a file, begun anew at each start and reload, or a collector's socket",
    otherwise: "nowhere",
    parse: dnstapTarget,
    fallback: undefined,
    reloads: true,
  }),
  dnstapSample: one({
    flag: "--dnstap-sample",
    value: "N",
    env: "FAIRLEAD_DNSTAP_SAMPLE",
    desc: "one query in so many is logged",
    otherwise: "1",
    parse: integer(1, 1_000_000),
    fallback: 1,
    reloads: true,
  }),
  edgeMemoryLimit: one({
    flag: "--edge-memory-limit",
    value: "MB",
    env: "FAIRLEAD_EDGE_MEMORY_LIMIT",
    desc: "memory for the zones of an edge; beyond it changes wait, and what is there is answered",
    otherwise: "0: no limit",
    parse: integer(0, 65_536),
    fallback: 0,
    reloads: true,
  }),
  workers: one<number | undefined>({
    flag: "--workers",
    value: "N",
    env: "FAIRLEAD_WORKERS",
    desc: "UDP workers",
    otherwise: "one per core, four at most",
    parse: integer(1, 64),
    fallback: undefined,
  }),
  udp: one<"auto" | "batched" | "portable">({
    flag: "--udp",
    value: "HOW",
    env: "FAIRLEAD_UDP",
    desc: "auto, batched (many datagrams a system call) or portable (one at a time)",
    otherwise: "auto",
    parse: choice("auto", "batched", "portable"),
    fallback: "auto",
  }),
  log: one({
    flag: "--log",
    value: "LEVEL",
    env: "FAIRLEAD_LOG",
    desc: "least level that is logged",
    otherwise: "info",
    parse: choice("trace", "debug", "info", "warn", "error", "silent"),
    fallback: "info",
  }),
};

type Keys = typeof keys;
export type Config = {
  readonly [K in keyof Keys]: Keys[K] extends { repeat: true; parse: (text: string) => infer T }
    ? readonly T[]
    : Keys[K] extends Key<infer T>
      ? T
      : never;
};

/**
 * What a running service goes on with when it reads its configuration again: `next` as far as it can be taken over, and
 * the flags of what cannot.
 */
export function reloaded(now: Config, next: Config): { config: Config; left: readonly string[] } {
  const changed = Object.entries(keys).filter(
    ([name]) => !isDeepStrictEqual(settingOf(now, name), settingOf(next, name)),
  );
  const taken = changed.filter(([, key]) => "reloads" in key).map(([name]) => [name, settingOf(next, name)]);
  return {
    config: { ...now, ...Object.fromEntries(taken) },
    left: changed.filter(([, key]) => !("reloads" in key)).map(([, key]) => key.flag),
  };
}

const settingOf = (config: Config, name: string): unknown => Reflect.get(config, name);

/** Adds keys as options of a command; all of them unless it reads some only. */
export function addOptions(command: Command, only?: readonly (keyof Keys)[]): Command {
  command.option("--config <FILE>", "a JSON file with the same keys as the flags, without dashes in front");
  for (const [name, key] of Object.entries(keys)) {
    if (only?.every((one) => one !== name)) continue;
    const again = "repeat" in key ? "; may be given again" : "";
    const help = `${key.desc}${again} (default: ${key.otherwise}) [${key.env}]`;
    command.option(`${key.flag} <${key.value}>`, help, collect(key.flag, "repeat" in key));
  }
  return command;
}

type Options = Readonly<Record<string, string | readonly string[] | undefined>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration of this process. Throws a Problem that names the flag, variable or key of the file that is wrong. */
export function readConfig(options: Options, environment: Environment = process.env): Config {
  const file = readFile(options["config"]);
  refuseUnknown(environment);
  const entries = Object.entries(keys).map(([name, key]) => {
    const given = options[name] ?? environment[key.env] ?? file[key.flag.slice(2)];
    const source =
      options[name] !== undefined
        ? key.flag
        : environment[key.env] !== undefined
          ? key.env
          : `"${key.flag.slice(2)}" in the configuration file`;
    return [name, isGiven(given) ? parsed(key, given, source) : key.fallback];
  });
  return Object.fromEntries(entries) as Config;
}

/** An empty value, or a list of none, is as good as no value. */
const isGiven = (value: unknown) =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

function parsed(key: Key<unknown> | ReturnType<typeof many>, given: unknown, source: string): unknown {
  try {
    if (!("repeat" in key)) return key.parse(String(given));
    const list = Array.isArray(given) ? given : String(given).split(",");
    return list.flatMap((item) => String(item).split(",")).map((item) => key.parse(item.trim()));
  } catch (error) {
    throw invalid(`${source}: ${error instanceof Error ? error.message : String(error)}`, { key: source });
  }
}

function readFile(path: Options[string]): Record<string, unknown> {
  if (typeof path !== "string") return {};
  if (!existsSync(path)) throw invalid(`--config: there is no file ${path}`);
  const content: unknown = parseJson(path);
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw invalid(`${path}: not a JSON object`);
  const known = new Set(Object.values(keys).map((key) => key.flag.slice(2)));
  const unknown = Object.keys(content).find((key) => !known.has(key));
  if (unknown !== undefined) throw invalid(`${path}: "${unknown}" is not a key of the configuration`);
  return { ...content };
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw invalid(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refuseUnknown(environment: Environment) {
  const known = new Set<string>(Object.values(keys).map((key) => key.env));
  const unknown = Object.keys(environment).find((name) => name.startsWith("FAIRLEAD_") && !known.has(name));
  if (unknown !== undefined) throw invalid(`${unknown}: not a key of the configuration`, { key: unknown });
}

const collect = (flag: string, repeat: boolean) => (value: string, before: string | string[] | undefined) => {
  if (repeat) return [...(Array.isArray(before) ? before : []), value];
  if (before !== undefined) throw invalid(`${flag}: given twice`, { key: flag });
  return value;
};
