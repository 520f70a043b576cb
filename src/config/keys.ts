/** The table of configuration: one row for each key, with its flag, variable, value and help text. */
import { resolve } from "node:path";
import {
  apiKey,
  choice,
  cidr,
  cookieSecret,
  databaseUrl,
  deletionGuard,
  dnstapTarget,
  endpoint,
  hostName,
  integer,
  interfaceName,
  mailSender,
  onOrOff,
  path,
  publicSuffix,
  publicUrl,
  rateLimit,
  resolverAddress,
  serverId,
  smtpServer,
  transferTime,
  userName,
  zeroOr,
} from "./values.ts";

/** A row of the table: one setting. */
export interface Key<T> {
  readonly flag: string;
  readonly value: string;
  readonly env: string;
  readonly desc: string;
  /** The default, as `--help` prints it. */
  readonly otherwise: string;
  readonly parse: (text: string) => T;
  readonly fallback: T;
  /** A list: the flag may be repeated; commas separate values in the variable and the file. */
  readonly repeat?: true;
  /** The only command besides `serve` that reads the key; "serve" if only `serve` does. Default: all commands read it. */
  readonly role?: Role;
  /** Whether `fairlead reload` applies a change, because the key concerns only the edge. */
  readonly reloads?: true;
  /** The value is a password, a key, or a URL that may contain one: it is shown nowhere. */
  readonly secret?: true;
  /** The texts of `--help` of commands for which `desc` or `otherwise` is not true. */
  readonly texts?: { readonly [R in Role]?: Partial<Pick<Key<T>, "desc" | "otherwise">> };
}

/** A command that runs the service or a part of it. */
export type Role = "serve" | "control" | "edge";

/** A key as it is written in the table below. */
type Row<T> = Omit<Key<T>, "env" | "repeat"> & {
  /** Default: the flag's name after `FAIRLEAD_`. */
  readonly env?: string;
};

const one = <T>(row: Row<T>): Key<T> => ({ env: variableOf(row.flag), ...row });
/** A row that is on or off; the flag alone turns it on. */
const toggle = (row: Omit<Row<boolean>, "value" | "parse" | "fallback">): Key<boolean> =>
  one<boolean>({ ...row, value: "", parse: onOrOff, fallback: false });
/** A row without a default value. */
const optional = <T>(row: Omit<Row<T>, "fallback">): Key<T | undefined> =>
  one<T | undefined>({ ...row, fallback: undefined });
/** A row with a list as value; the default is an empty list. */
export const many = <T>({
  fallback = [],
  ...row
}: Omit<Row<T>, "fallback"> & { readonly fallback?: readonly T[] }) => ({
  env: variableOf(row.flag),
  ...row,
  fallback,
  repeat: true as const,
});

const variableOf = (flag: string) => `FAIRLEAD_${flag.slice(2).toUpperCase().replaceAll("-", "_")}`;

/** Control only needs to know where edges answer. */
const ofAnEdge = (what: string) => ({
  control: { desc: `an edge's endpoint of ${what}; incoming transfers and NOTIFY never go to it` },
});
const ownPostgres = {
  desc: "the PostgreSQL that is the store, version 15 or newer",
  otherwise: "none: it is required",
};
const firstKey = { desc: "first API key of a new service", otherwise: "generated at the first start" };

/** All keys. A key's name in the file is its flag without the dashes. */
export const keys = {
  data: one({
    flag: "--data",
    value: "DIR",
    desc: "directory of the embedded store, the master key and the first credentials",
    otherwise: "./data",
    texts: {
      control: { desc: "directory of the master key, the first credentials, imports and unsent mails" },
      edge: { desc: "directory of snapshots, the master key and the self-signed certificate" },
    },
    parse: path,
    fallback: resolve("data"),
  }),
  user: optional({
    flag: "--user",
    value: "NAME",
    desc: "user as whom the service runs when root starts it; root to stay root (docs/reference/operating.md)",
    otherwise: "the owner of the data directory, or the system user fairlead, who is made",
    parse: userName,
  }),
  http: one({
    flag: "--http",
    value: "ADDR:PORT",
    role: "control",
    desc: "endpoint of the API, /healthz, and /readyz without details",
    otherwise: "127.0.0.1:8080",
    parse: endpoint,
    fallback: { address: "127.0.0.1", port: 8080 },
  }),
  dns: many({
    flag: "--dns",
    value: "ADDR:PORT",
    desc: "endpoint of DNS over UDP and TCP",
    otherwise: "127.0.0.1:5300",
    texts: ofAnEdge("DNS over UDP and TCP"),
    parse: endpoint,
    fallback: [{ address: "127.0.0.1", port: 5300 }],
    reloads: true,
  }),
  dot: many({
    flag: "--dot",
    value: "ADDR:PORT",
    desc: "endpoint of DNS over TLS (RFC 7858; standard port 853)",
    otherwise: "none",
    texts: ofAnEdge("DNS over TLS"),
    parse: endpoint,
    reloads: true,
  }),
  doh: many({
    flag: "--doh",
    value: "ADDR:PORT",
    desc: "endpoint of DNS over HTTPS, at /dns-query (RFC 8484; standard port 443)",
    otherwise: "none",
    texts: ofAnEdge("DNS over HTTPS"),
    parse: endpoint,
    reloads: true,
  }),
  tlsCert: optional({
    flag: "--tls-cert",
    value: "FILE",
    role: "edge",
    desc: "certificate for --dot and --doh with its chain, in PEM; read again when it changes",
    otherwise: "self-signed, in the data directory",
    parse: path,
    reloads: true,
  }),
  tlsKey: optional({
    flag: "--tls-key",
    value: "FILE",
    role: "edge",
    desc: "private key of the certificate in --tls-cert, in PEM; read again when it changes",
    otherwise: "the self-signed certificate's key",
    parse: path,
    reloads: true,
  }),
  dnsProxy: many({
    flag: "--dns-proxy",
    value: "CIDR",
    role: "edge",
    desc: "proxies in front of DNS; their connections over TCP, TLS and HTTPS begin with a PROXY header, version 2",
    otherwise: "none",
    parse: cidr,
    reloads: true,
  }),
  resolver: optional({
    flag: "--resolver",
    value: "ADDR[:PORT],...",
    role: "control",
    desc: "recursive resolvers that see the public DNS, which say whether zones, and the names of deleted zones, are delegated; or the word none",
    otherwise: "those of the system",
    parse: (text) => (text === "none" ? "none" : text.split(",").map((part) => resolverAddress(part.trim()))),
  }),
  egressAllow: optional({
    flag: "--egress-allow",
    value: "CIDR,...",
    role: "control",
    desc: "addresses, besides public ones, to which incoming transfers may connect and NOTIFY may be sent; or the word none",
    otherwise:
      "loopback and private networks for the first account if --http is on loopback without --public-url and --trusted-proxy, otherwise none",
    parse: (text) => (text === "none" ? [] : text.split(",").map((part) => cidr(part.trim()))),
  }),
  metrics: optional({
    flag: "--metrics",
    value: "ADDR:PORT",
    desc: "endpoint for the operator: Prometheus metrics, /healthz, and /readyz with all details",
    otherwise: "127.0.0.1:9153",
    parse: endpoint,
  }),
  databaseUrl: optional({
    flag: "--database-url",
    secret: true,
    value: "URL",
    env: "DATABASE_URL",
    desc: "your own PostgreSQL as store, version 15 or newer",
    otherwise: "the embedded store",
    texts: { control: ownPostgres, edge: ownPostgres },
    parse: databaseUrl,
  }),
  postgresBin: optional({
    flag: "--postgres-bin",
    value: "DIR",
    env: "PG_BIN_DIR",
    role: "serve",
    desc: "directory of the PostgreSQL programs that run as the embedded store",
    otherwise: "those in the package",
    parse: path,
  }),
  masterKeyFile: optional({
    flag: "--master-key-file",
    value: "FILE",
    desc: "key that seals secrets in the store; created at the first start",
    otherwise: "master.key in the data directory",
    texts: { edge: { desc: "key that seals secrets in the store, made by control; without it TSIG keys are unknown" } },
    parse: path,
  }),
  nameservers: many({
    flag: "--nameservers",
    value: "NAME",
    desc: "name servers of new zones in network 0",
    otherwise: "dns1.p01.fairlead.test to dns4.p01.fairlead.test",
    texts: { edge: { desc: "names in the self-signed certificate" } },
    parse: hostName,
  }),
  networks: optional({
    flag: "--networks",
    value: "FILE",
    desc: "networks for zones, with the pools of their name servers, in JSON (docs/guides/edges.md)",
    otherwise: "network 0 with one pool of the --nameservers",
    texts: {
      edge: { desc: "the file of networks that control has; its name servers are in the self-signed certificate" },
    },
    parse: path,
  }),
  serveNetworks: many({
    flag: "--serve-networks",
    value: "ID",
    role: "edge",
    desc: "networks whose zones this edge answers",
    otherwise: "all",
    parse: integer(0, 2 ** 31 - 1),
    reloads: true,
  }),
  apiKey: optional({
    flag: "--api-key",
    secret: true,
    value: "KEY",
    role: "control",
    desc: "API key for the commands demo, explain and zone; also the first key of a new service",
    otherwise: "the first key in the data directory; generated at the first start",
    texts: { serve: firstKey, control: firstKey },
    parse: apiKey,
  }),
  edition: one<"managed" | "ddi">({
    flag: "--edition",
    value: "EDITION",
    role: "control",
    desc: "managed or ddi; determines which fields and endpoints exist, and whether zones may be public suffixes",
    otherwise: "managed",
    parse: choice("managed", "ddi"),
    fallback: "managed",
  }),
  allowSuffix: many({
    flag: "--allow-suffix",
    value: "NAME",
    role: "control",
    desc: "public suffixes that may be zones in edition managed",
    otherwise: "none",
    parse: publicSuffix,
  }),
  geo: many({
    flag: "--geo",
    value: "FILE",
    desc: "files with the locations of clients: MaxMind DB, list of ranges or overrides (docs/reference/geo.md); read again when they change",
    otherwise: "none: locations are unknown",
    parse: path,
  }),
  keepHistory: one({
    flag: "--keep-history",
    value: "DAYS",
    role: "control",
    desc: "age at which unsaved versions of zones are deleted",
    otherwise: "365",
    parse: integer(1, 36_500),
    fallback: 365,
  }),
  keepActivity: one({
    flag: "--keep-activity",
    value: "DAYS",
    role: "control",
    desc: "age at which entries of the activity log are deleted",
    otherwise: "730",
    parse: integer(1, 36_500),
    fallback: 730,
  }),
  keepDeleted: one({
    flag: "--keep-deleted",
    value: "DAYS",
    role: "control",
    desc: "time in which a deleted zone can be restored and no other account can take its name, if that is delegated",
    otherwise: "30",
    parse: integer(0, 36_500),
    fallback: 30,
  }),
  deletionGuard: one({
    flag: "--deletion-guard",
    value: "PERCENT[/single]",
    role: "control",
    desc: "share of an account's zones, or of a zone's records, above which one request that deletes several must be confirmed; with /single, also requests with keys that delete one thing each; off or 100 for never",
    otherwise: "30",
    parse: deletionGuard,
    fallback: { percent: 30, isSingle: false },
  }),
  rateLimit: one({
    flag: "--rate-limit",
    value: "N/SECONDS",
    role: "control",
    desc: "API requests allowed per account and method in a period",
    otherwise: "10000/1",
    parse: rateLimit,
    fallback: { limit: 10_000, period: 1 },
  }),
  importLimit: one({
    flag: "--import-limit",
    value: "MB",
    role: "control",
    desc: "largest zone file that can be imported, in megabytes (2^20 octets)",
    otherwise: "256",
    parse: integer(1, 65_536),
    fallback: 256,
  }),
  transferLimit: one({
    flag: "--transfer-limit",
    value: "MB",
    role: "control",
    desc: "largest zone that can be transferred in, in megabytes (2^20 octets)",
    otherwise: "256",
    parse: integer(1, 65_536),
    fallback: 256,
  }),
  transferTime: one({
    flag: "--transfer-time",
    value: "SECONDS/SECONDS",
    role: "control",
    desc: "time limits of incoming transfers: for each message, and for the whole transfer",
    otherwise: "10/3600",
    parse: transferTime,
    fallback: { message: 10, transfer: 3600 },
  }),
  transfersIn: one({
    flag: "--transfers-in",
    value: "N",
    role: "control",
    desc: "incoming transfers at the same time; at most half of them for one account",
    otherwise: "20",
    parse: integer(1, 1000),
    fallback: 20,
  }),
  transfersOut: one({
    flag: "--transfers-out",
    value: "N",
    role: "edge",
    desc: "outgoing transfers at the same time, per edge; accounts below their share may have twice as many, and ten times as many may wait",
    otherwise: "10",
    parse: integer(1, 1000),
    fallback: 10,
    reloads: true,
  }),
  publicUrl: optional({
    flag: "--public-url",
    value: "URL",
    role: "control",
    desc: "URL of the service for its users: the base of links in mails and replies, and the origin whose pages may write with a session",
    otherwise: "the address of --http",
    parse: publicUrl,
  }),
  noPortal: toggle({
    flag: "--no-portal",
    role: "control",
    desc: "serves the API without the portal's pages",
    otherwise: "the portal is served at / of --http",
  }),
  smtp: optional({
    flag: "--smtp",
    secret: true,
    value: "URL",
    role: "control",
    desc: "mail server: smtp:// or smtps://, with user and password if required (docs/guides/mail.md)",
    otherwise: "none: mails are written to outbox/ in the data directory",
    parse: smtpServer,
  }),
  mailFrom: optional({
    flag: "--mail-from",
    value: "ADDRESS",
    role: "control",
    desc: "sender of mails",
    otherwise: "fairlead at the host of --public-url",
    parse: mailSender,
  }),
  trustedProxy: many({
    flag: "--trusted-proxy",
    value: "CIDR",
    role: "control",
    desc: "proxies whose X-Forwarded-For is trusted",
    otherwise: "none",
    parse: cidr,
  }),
  cookieSecret: many({
    flag: "--cookie-secret",
    secret: true,
    value: "HEX",
    role: "edge",
    desc: "secrets of DNS cookies, 32 hexadecimal digits each; the first makes cookies, the others are still accepted",
    otherwise: "a secret that all edges of a store share, changed daily",
    parse: cookieSecret,
    reloads: true,
  }),
  nsid: optional({
    flag: "--nsid",
    value: "TEXT",
    role: "edge",
    desc: "identifier of this server for clients that send NSID (RFC 5001), at most 64 octets",
    otherwise: "none: NSID is ignored",
    parse: serverId,
    reloads: true,
  }),
  dnsLimit: one({
    flag: "--dns-limit",
    value: "N",
    role: "edge",
    desc: "answers per second over UDP to each IPv4 /24 or IPv6 /56 without a valid DNS cookie; 0 for no limit",
    otherwise: "0",
    parse: integer(0, 1_000_000),
    fallback: 0,
    reloads: true,
  }),
  dnsEqualLimit: one({
    flag: "--dns-equal-limit",
    value: "N",
    role: "edge",
    desc: "a limit like --dns-limit, for answers with the same name, type and RCODE; at least 200, or 0 for no limit",
    otherwise: "200",
    parse: zeroOr(200, 1_000_000),
    fallback: 200,
    reloads: true,
  }),
  dnsErrorLimit: one({
    flag: "--dns-error-limit",
    value: "N",
    role: "edge",
    desc: "a limit like --dns-limit, for error answers",
    otherwise: "100",
    parse: integer(0, 1_000_000),
    fallback: 100,
    reloads: true,
  }),
  dnsLimitExempt: many({
    flag: "--dns-limit-exempt",
    value: "CIDR",
    role: "edge",
    desc: "clients to which --dns-limit, --dns-equal-limit and --dns-error-limit do not apply",
    otherwise: "127.0.0.0/8 and ::1",
    parse: cidr,
    fallback: ["127.0.0.0/8", "::1"],
    reloads: true,
  }),
  dnstap: optional({
    flag: "--dnstap",
    value: "FILE|unix:SOCKET",
    role: "edge",
    desc: "target of the dnstap log of queries and answers: a file, overwritten at each start and reload, or a collector's socket",
    otherwise: "none",
    texts: {
      edge: {
        desc: "target of the dnstap log of queries and answers: a file, overwritten at each start, or a collector's socket",
      },
    },
    parse: dnstapTarget,
    reloads: true,
  }),
  dnstapSample: one({
    flag: "--dnstap-sample",
    value: "N",
    role: "edge",
    desc: "log one query in N",
    otherwise: "1",
    parse: integer(1, 1_000_000),
    fallback: 1,
    reloads: true,
  }),
  tailAddresses: toggle({
    flag: "--tail-addresses",
    role: "edge",
    desc: "shows the addresses of clients to accounts that watch the queries for their zones",
    otherwise: "they see networks: /24, or /56 for IPv6",
    reloads: true,
  }),
  edgeMemoryLimit: one({
    flag: "--edge-memory-limit",
    value: "MB",
    role: "edge",
    desc: "memory limit for the zones of an edge, in megabytes; at the limit, changes are held back and existing zones are still served",
    otherwise: "0: no limit",
    parse: integer(0, 65_536),
    fallback: 0,
    reloads: true,
  }),
  workers: optional({
    flag: "--workers",
    value: "N",
    role: "edge",
    desc: "number of UDP workers",
    otherwise: "one per core, at most four",
    parse: integer(1, 64),
  }),
  udp: one<"auto" | "batched" | "portable">({
    flag: "--udp",
    value: "HOW",
    role: "edge",
    desc: "auto, batched (many datagrams per system call) or portable (one at a time)",
    otherwise: "auto",
    parse: choice("auto", "batched", "portable"),
    fallback: "auto",
  }),
  xdp: many({
    flag: "--xdp",
    value: "INTERFACE",
    role: "edge",
    desc: "network interface whose queries over UDP are read through AF_XDP, past the system's network stack and its firewall (docs/guides/xdp.md)",
    otherwise: "none: all queries come through sockets",
    parse: interfaceName,
  }),
  log: one({
    flag: "--log",
    value: "LEVEL",
    desc: "lowest level that is logged",
    otherwise: "info",
    parse: choice("trace", "debug", "info", "warn", "error", "silent"),
    fallback: "info",
  }),
};
