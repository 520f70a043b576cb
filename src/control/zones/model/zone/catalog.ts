/** The field `catalog` of a zone: read from a body, and shown in replies. Pure. */
import { apiName } from "../../../../dns/wire/name.ts";
import { inField, invalidField } from "../../../../lib/problem.ts";
import type { CatalogListing, CatalogSettings } from "../../../../storage/tables/transfers.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import { limits } from "../../../kit/limits.ts";
import { type Fields, readText } from "./values.ts";

/** A string that a TXT record can hold without escapes. */
const groupText = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,255}$/;

export const isGroup = (text: string): boolean => groupText.test(text);

/** Reads `catalog`. `before` is undefined for a new zone. A body of null removes the earlier settings. */
export function readCatalog(
  body: Fields | null | undefined,
  before: CatalogSettings | null | undefined,
): CatalogSettings | null {
  if (body === undefined) return before ?? null;
  const role = readText(body?.["role"], "catalog.role");
  if (before?.role === "producer" && role !== "producer") {
    throw invalidField("catalog", "a producer remains a catalog zone until it is deleted");
  }
  switch (role) {
    case "":
      return null;
    case "producer":
      if (before === undefined || before?.role === "producer") return { role };
      throw invalidField("catalog.role", "producer can only be set when the zone is created");
    case "consumer":
      return before?.role === "consumer" ? before : { role };
    case "member":
      return { role, ...readListing(body ?? {}, before?.role === "member" ? before : undefined) };
    case "consumed":
      // a client may send back the field as it was read
      if (before?.role === "consumed" && body?.["of"] === before.of) return before;
  }
  const roles = "producer, member or consumer";
  throw invalidField("catalog.role", `${JSON.stringify(role)} is not ${roles}`);
}

function readListing(body: Fields, before: CatalogListing | undefined): CatalogListing {
  const { groups, coo } = body;
  return {
    of: readName(body["of"] ?? before?.of, "catalog.of"),
    groups: groups === undefined ? (before?.groups ?? []) : readGroups(groups ?? []),
    coo: coo === undefined ? (before?.coo ?? null) : coo === null || coo === "" ? null : readName(coo, "catalog.coo"),
  };
}

function readName(value: unknown, field: string): string {
  if (typeof value !== "string" || value === "") throw invalidField(field, "must be the name of a catalog");
  return inField(field, () => apiName(value));
}

function readGroups(value: unknown): string[] {
  const field = "catalog.groups";
  if (!Array.isArray(value) || value.length > limits.catalogGroups) {
    throw invalidField(field, `must be a list of at most ${limits.catalogGroups} groups`);
  }
  const groups = value.map((group: unknown) => {
    if (typeof group === "string" && isGroup(group)) return group;
    throw invalidField(field, `${JSON.stringify(group)} is not text of at most 255 plain characters`);
  });
  return [...new Set(groups)];
}

/** The field as replies show it. */
export function catalogReply({ id, catalog, catalog_state }: ZoneRow): Record<string, unknown> | null {
  if (!catalog) return null;
  if (catalog.role === "producer") return { role: "producer" };
  if (catalog.role === "consumer") return { role: "consumer", ...stateReply(catalog_state) };
  const { role, of, groups, coo } = catalog;
  return { role, of, node: role === "consumed" ? catalog.node : id, groups, coo };
}

function stateReply(state: ZoneRow["catalog_state"]) {
  const { error = null, members = 0, held = null, skipped = [], followed_at = 0 } = state ?? {};
  const status = error !== null ? "error" : held ? "held" : followed_at > 0 ? "ok" : "pending";
  return { status, error, members, held: held && { count: held.count, zones: held.zones }, skipped, followed_at };
}
