/** A zone's fields read from a body: defaults, checks of each field, and refusal of features not built yet. Pure. */
import { isDeepStrictEqual } from "node:util";
import { feedsOf, readMeta } from "../../../../answer/model/meta.ts";
import { apiName, labelCount, nameFromApi, nameToApi } from "../../../../dns/wire/name.ts";
import { inField, invalid, invalidField, notBuilt, Problem } from "../../../../lib/problem.ts";
import type { Edition } from "../../../access/rights.ts";
import { afterBody, readAfter } from "../../../kit/schema.ts";
import type { Ctx } from "../../../write/context.ts";
import type { ZoneFields } from "../../../write/history.ts";
import { readNames, readTags } from "../record/tags.ts";
import { firstServer, type Placing, place } from "./networks.ts";
import type { ZoneBody } from "./schema.ts";

/** The canonical name of a zone. Single labels are zones only in edition ddi, where names are private. */
export function zoneName(text: string, edition: Edition): string {
  // clients compare this message, so the reason is in the details
  const refusal = (reason: string) => invalid(`"${text}" not a valid zone`, { field: "zone", reason });
  if (text.startsWith("*")) throw refusal("a wildcard cannot be a zone");
  const name = nameOf(text, refusal);
  const least = edition === "ddi" ? 1 : 2;
  if (labelCount(name) >= least) return nameToApi(name);
  throw refusal(
    least === 1 ? "the root cannot be a zone" : "a zone's name needs at least two labels, such as example.com",
  );
}

function nameOf(text: string, refusal: (reason: string) => Problem) {
  try {
    return nameFromApi(text);
  } catch (error) {
    throw error instanceof Problem ? refusal(error.message) : error;
  }
}

/** The fields of a zone after a body. Omitted fields keep their value in `before`, or get their default. */
export function readZone(zone: string, body: ZoneBody, before: ZoneFields | undefined, placing: Placing): ZoneFields {
  const count = (field: "ttl" | "refresh" | "retry" | "expiry" | "nx_ttl") =>
    afterBody(body[field], before?.[field], defaults[field]);
  const servers = place(body.networks, before, placing);
  const { networks } = placing;
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
    disabled: afterBody(body.disabled, before?.disabled, false),
    meta: readAfter(body.meta, before?.meta, {}, readZoneMeta),
    tags: readAfter(body.tags, before?.tags, {}, (sent) => readTags(sent, "tags")),
    local_tags: readAfter(body.local_tags, before?.local_tags, [], (sent) => readNames(sent, "local_tags")),
  };
}

/** In edition ddi `local_tags` follow from the tags, so those of a body say nothing. */
export function withoutDerived(body: ZoneBody, edition: Edition): ZoneBody {
  const { local_tags: _, ...rest } = body;
  return edition === "ddi" ? rest : body;
}

function readZoneMeta(table: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const meta = readMeta(table, "meta");
  const [feed] = feedsOf(meta);
  if (feed !== undefined) throw invalidField("meta", "a zone's metadata cannot refer to feeds", { feed });
  return meta;
}

/** The settings of a new zone. */
export const defaults = { ttl: 3600, refresh: 43200, retry: 7200, expiry: 1209600, nx_ttl: 3600 };

/** The reason in the details; the messages are fixed, because clients compare them. */
export const unsigned = "this version of Fairlead does not sign zones; DNSSEC cannot be enabled";

/** Throws for features that are not built yet. Empty values pass, because clients send back what they read. */
export function refuseUnbuilt(
  { settings, warnings }: Pick<Ctx, "settings" | "warnings">,
  body: ZoneBody,
  zone: string,
) {
  if (body.dnssec) {
    // clients compare this message; the address in it is of no use here
    throw notBuilt("DNSSEC support is not enabled for this account. Please contact support@ns1.com to enable it", {
      field: "dnssec",
      reason: unsigned,
    });
  }
  const isManaged = settings.edition === "managed";
  const refuse = (field: "name" | "views", what: string) => {
    if (!isManaged) throw notBuilt(`${what} are not built yet`, { field });
    warnings.add(field, `has no effect: ${what} exist only in edition ddi`);
  };
  if (body.name && !isSameName(body.name, zone)) refuse("name", "named zones");
  const views = typeof body.views === "string" ? [body.views] : (body.views ?? []);
  if (Array.isArray(views) && views.some((view) => view !== "")) refuse("views", "views");
}

const isSameName = (text: string, zone: string) => text.toLowerCase().replace(/\.$/, "") === zone;

export const sameFields = (a: ZoneFields, b: ZoneFields) => isDeepStrictEqual(a, b);

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
    throw invalidField("hostmaster", `"${text}" is not a mailbox such as hostmaster@example.com`);
  }
  return text;
}

/** The name as sent. Throws unless it is a valid name. */
function hostName(text: string, field: string): string {
  inField(field, () => apiName(text));
  return text;
}
