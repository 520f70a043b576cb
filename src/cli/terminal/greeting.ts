/** The text that a start prints: endpoints, the first key or its file, and commands to try. */
import { resolve } from "node:path";
import { type Config, readConfig } from "../../config/config.ts";
import { printEndpoint, reachable } from "../../config/values.ts";
import type { FirstSteps } from "../../control/bootstrap.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import { credentialsFile, firstKey } from "../../lib/files/credentials.ts";
import { mailDelivery } from "../host/mail.ts";
import { metricsEndpoint } from "../host/metrics.ts";
import { privileged } from "../user/become.ts";
import { type FirstLink, firstLinkLines } from "./first-link.ts";
import { firstKeyOf, program, quoted } from "./shell.ts";

/** The facts in a greeting besides the configuration. */
export interface Shown extends FirstSteps {
  /** The first key if it may be shown; otherwise the commands read it from its file. */
  readonly key: string | undefined;
  /** The link with which the first user signs in. */
  readonly first?: FirstLink | undefined;
  /** The endpoints of DNS; empty if the API runs without an edge. */
  readonly dns: readonly Endpoint[];
  /** The configuration file of this start. */
  readonly file?: string | undefined;
}

export function greeting(config: Config, shown: Shown): string {
  const url = `http://${printEndpoint(reachable(config.http))}`;
  return [
    "",
    "Fairlead is running.",
    "",
    `  API        ${url}/v1   reference: ${url}/docs`,
    ...(shown.dns.length > 0 ? dnsLines(config, shown.dns) : []),
    operatorLine(config),
    `  data       ${config.data}`,
    `  mail       ${mailDelivery(config)}`,
    `  API key    ${whereKey(config, shown)}`,
    "",
    ...(shown.first ? firstLinkLines(config, url, shown.first) : []),
    ...(shown.hasKey && !shown.hasZones ? commands(config, url, shown) : []),
    "",
  ].join("\n");
}

/** The greeting of an edge without a supervisor. */
export function edgeGreeting(config: Config): string {
  return [
    "",
    "Fairlead's edge is running.",
    "",
    ...dnsLines(config, config.dns),
    operatorLine(config),
    `  data       ${config.data}`,
    "",
    "",
  ].join("\n");
}

function operatorLine(config: Config): string {
  const url = `http://${printEndpoint(reachable(metricsEndpoint(config)))}`;
  return `  state      ${url}/readyz   metrics: ${url}/metrics`;
}

const dnsLines = (config: Config, dns: readonly Endpoint[]) => [
  `  DNS        ${dns.map(printEndpoint).join(", ")} (UDP and TCP)`,
  ...secureLines(config),
];

const secureLines = ({ dot, doh }: Config) => [
  ...(dot.length > 0 ? [`  DNS        ${dot.map(printEndpoint).join(", ")} (TLS)`] : []),
  ...doh.map((endpoint) => `  DNS        https://${printEndpoint(endpoint)}/dns-query`),
];

function whereKey(config: Config, { hasKey, key }: Shown): string {
  const file = credentialsFile(config.data);
  if (!hasKey) return "use one of your own; no working key is stored here";
  return key === undefined ? `in ${file}` : `${key}   (stored in ${file})`;
}

/** The first key, on a terminal only: other output may be stored where others read it. */
export const keyShown = (config: Config) => ({ key: process.stdout.isTTY ? firstKey(config.data) : undefined });

/** Commands to paste, for a store without zones. */
function commands(config: Config, url: string, { key, first, dns, file }: Shown): string[] {
  const header = key ?? firstKeyOf(config.data);
  const put = (path: string, body: unknown) =>
    `  curl -sS -X PUT -H "X-SERVICE-Key: ${header}" ${url}/v1/${path} -d '${JSON.stringify(body)}'`;
  const [edge] = dns.map(reachable);
  return [
    `Create a zone, create a record${edge ? ", ask for it" : ""}:`,
    "",
    put("zones/example.com", { zone: "example.com" }),
    put("zones/example.com/www.example.com/A", {
      zone: "example.com",
      domain: "www.example.com",
      type: "A",
      answers: [{ answer: ["192.0.2.1"] }],
    }),
    ...(edge ? [`  dig @${edge.address} -p ${edge.port} www.example.com A`] : []),
    "",
    ...(first ? [] : invitation(config, file)),
  ];
}

const invitation = (config: Config, file: string | undefined) => [
  "Sign in as the first user, admin:",
  "",
  ["  ", program(), " user invite admin", ...storeFlags(config, file)].join(""),
  "",
];

/** The flags that lead a command on this host to the same store. */
function storeFlags(config: Config, file: string | undefined): string[] {
  const usual = privileged(() => readConfig({ config: file }, {}));
  const { data, databaseUrl, masterKeyFile } = config;
  return [
    ...(file === undefined ? [] : [` --config ${quoted(resolve(file))}`]),
    ...(data === usual.data ? [] : [` --data ${quoted(data)}`]),
    ...(databaseUrl === undefined || databaseUrl === usual.databaseUrl
      ? []
      : [` --database-url ${quoted(withoutPassword(databaseUrl))}`]),
    ...(masterKeyFile === undefined || masterKeyFile === usual.masterKeyFile
      ? []
      : [` --master-key-file ${quoted(masterKeyFile)}`]),
  ];
}

/** Replaces the password with dots, since a journal often stores the greeting. */
const withoutPassword = (url: string) =>
  url.replace(/^(\w+:\/\/[^/?#@]*?:)[^/?#]*@/, "$1...@").replace(/([?&]password=)[^&#]*/, "$1...");
