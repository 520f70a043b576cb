/** What a zone's body means: defaults, checks field by field, and what is not built. Pure. */
import { isDeepStrictEqual } from "node:util";
import { feedsOf, readMeta } from "../../answer/meta.ts";
import { apiName, labelCount, nameFromApi, nameToApi } from "../../dns/name.ts";
import { invalid, notBuilt, Problem } from "../../lib/problem.ts";
import type { Edition } from "../access/rights.ts";
import type { Network } from "../context.ts";
import { readNames, readTags } from "../tags.ts";
import type { ZoneBody } from "./schema.ts";

/** The part of a zone that a client sets. */
export interface ZoneFields {
  readonly ttl: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expiry: number;
  readonly nx_ttl: number;
  readonly hostmaster: string;
  readonly primary_master: string;
  readonly networks: readonly number[];
  readonly dns_servers: readonly string[];
  readonly network_pools: readonly string[];
  readonly pool: string | null;
  readonly disabled: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly local_tags: readonly string[];
}

/** The canonical name of a zone. A single label is a zone only where names are private. */
export function zoneName(text: string, edition: Edition): string {
  try {
    const name = nameFromApi(text);
    if (labelCount(name) >= (edition === "ddi" ? 1 : 2) && !text.startsWith("*")) return nameToApi(name);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  throw invalid(`"${text}" not a valid zone`, { field: "zone" });
}

/** The fields of a zone after a body: those it leaves out stay as they are in `before`, or get their defaults. */
export function readZone(
  zone: string,
  body: ZoneBody,
  before: ZoneFields | undefined,
  networks: readonly Network[],
): ZoneFields {
  const count = (field: "ttl" | "refresh" | "retry" | "expiry" | "nx_ttl") =>
    body[field] === undefined ? (before?.[field] ?? defaults[field]) : (body[field] ?? defaults[field]);
  const servers = placed(body, before, networks);
  const unset = body.primary_master === undefined;
  const follows = before === undefined || before.primary_master === firstServer(before.dns_servers, networks);
  return {
    ttl: count("ttl"),
    refresh: count("refresh"),
    retry: count("retry"),
    expiry: count("expiry"),
    nx_ttl: count("nx_ttl"),
    hostmaster: hostmasterOf(zone, body, before),
    primary_master:
      unset && !follows
        ? before.primary_master
        : body.primary_master
          ? hostName(body.primary_master, "primary_master")
          : firstServer(servers.dns_servers, networks),
    ...servers,
    disabled: body.disabled === undefined ? (before?.disabled ?? false) : (body.disabled ?? false),
    meta: body.meta === undefined ? (before?.meta ?? {}) : readZoneMeta(body.meta ?? {}),
    tags: body.tags === undefined ? (before?.tags ?? {}) : readTags(body.tags ?? {}, "tags"),
    local_tags:
      body.local_tags === undefined ? (before?.local_tags ?? []) : readNames(body.local_tags ?? [], "local_tags"),
  };
}

function readZoneMeta(table: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const meta = readMeta(table, "meta");
  const [feed] = feedsOf(meta);
  if (feed !== undefined) throw invalid("meta: a zone's metadata takes no values from feeds", { field: "meta", feed });
  return meta;
}

const defaults = { ttl: 3600, refresh: 43200, retry: 7200, expiry: 1209600, nx_ttl: 3600 };

/** Refuses what this version cannot do. Forms that ask for nothing pass: clients send back what they read. */
export function refuseUnbuilt(body: ZoneBody, edition: Edition, zone: string): void {
  if (body.link) throw notBuilt("linked zones are not built yet", { field: "link" });
  if (body.dnssec) {
    // the sentence that existing clients know; whom it names can do nothing here
    throw notBuilt("DNSSEC support is not enabled for this account. Please contact support@ns1.com to enable it", {
      field: "dnssec",
      reason: "this version of Fairlead does not sign zones; nobody can enable it",
    });
  }
  const { enabled, ...rest } = body.secondary ?? {};
  if (enabled) throw notBuilt("secondary zones are not built yet", { field: "secondary" });
  if (asksFor(rest["tsig"])) throw invalid("secondary.tsig: the zone is not secondary", { field: "secondary.tsig" });
  const secondaries = body.primary?.["secondaries"];
  if (body.primary?.["enabled"] || (Array.isArray(secondaries) && secondaries.length > 0)) {
    throw notBuilt("transfers to secondaries are not built yet", { field: "primary" });
  }
  if (edition === "managed") return;
  if (body.name && apiName(body.name) !== zone) throw notBuilt("named zones are not built yet", { field: "name" });
  const views = typeof body.views === "string" ? [body.views] : (body.views ?? []);
  if (Array.isArray(views) && views.some((view) => view !== "")) {
    throw notBuilt("views are not built yet", { field: "views" });
  }
}

const asksFor = (tsig: unknown) =>
  typeof tsig === "object" && tsig !== null && "enabled" in tsig && Boolean(tsig.enabled);

export const sameFields = (a: ZoneFields, b: ZoneFields) => isDeepStrictEqual(a, b);

/** A network that stays keeps its name servers, also when the operator has named others since; null takes those of now. */
function placed(body: ZoneBody, before: ZoneFields | undefined, networks: readonly Network[]) {
  const ids = body.networks === undefined && before ? before.networks : (body.networks ?? [0]);
  if (before && body.networks !== null && isDeepStrictEqual(ids, before.networks)) {
    const { networks, dns_servers, network_pools, pool } = before;
    return { networks, dns_servers, network_pools, pool };
  }
  const chosen = ids.map((id) => {
    const network = networks.find(({ network_id }) => network_id === id);
    if (!network) throw invalid(`networks: there is no network ${id}`, { field: "networks" });
    return network;
  });
  if (new Set(ids).size !== ids.length) throw invalid("networks: an id is there twice", { field: "networks" });
  return {
    networks: ids,
    dns_servers: [...new Set(chosen.flatMap(({ name_servers }) => name_servers))],
    network_pools: [...new Set(chosen.map(({ pool }) => pool))],
    pool: chosen[0]?.pool ?? null,
  };
}

/** A zone without name servers still has an SOA record, which names one. */
const firstServer = (servers: readonly string[], networks: readonly Network[]) =>
  servers[0] ?? networks[0]?.name_servers[0] ?? "";

function hostmasterOf(zone: string, body: ZoneBody, before: ZoneFields | undefined): string {
  if (body.hostmaster === undefined && before) return before.hostmaster;
  const text = body.hostmaster || `hostmaster@${zone}`;
  const at = text.lastIndexOf("@");
  const user = text.slice(0, Math.max(0, at)).replaceAll("\\.", ".").replaceAll(".", "\\.");
  try {
    const name = nameFromApi(at < 0 ? text : `${user}.${text.slice(at + 1)}`);
    if (labelCount(name) < 2 || at === 0) throw invalid("");
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw invalid(`hostmaster: "${text}" is not a mailbox such as hostmaster@example.com`, { field: "hostmaster" });
  }
  return text;
}

/** As it was sent, after it proved to be a name. */
function hostName(text: string, field: string): string {
  try {
    apiName(text);
    return text;
  } catch (error) {
    throw error instanceof Problem ? invalid(`${field}: ${error.message}`, { field }) : error;
  }
}
