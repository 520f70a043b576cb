/** The activity log's entry for a write: author, action, time, and the resource without its secrets. */
import { isDeepStrictEqual } from "node:util";
import { newId } from "../../../lib/ids.ts";
import { isObject, own } from "../../../lib/values.ts";
import type { Caller } from "../../access/caller.ts";
import { redacted } from "./redacted.ts";
import type { ActivityRow } from "./store.ts";

export interface Act {
  readonly caller: Pick<Caller, "account_id" | "kind" | "id" | "name">;
  readonly address: string;
  readonly log: readonly [resource: string, action: string];
  readonly resource: unknown;
  /** The earlier state, in the shape of `resource`. */
  readonly before?: object | undefined;
  /** Warnings that went with the reply; they are kept with the resource. */
  readonly warnings?: readonly string[];
  readonly now: number;
}

/** Resources that decide who may do what: their entries keep warnings, also when nothing changed. */
const accessTypes: readonly string[] = ["apikey", "user", "team", "whitelist"];

export const concernsAccess = ([resource]: Act["log"]) => accessTypes.includes(resource);

export function activityEntry({ caller, address, log, resource, before, warnings = [], now }: Act): ActivityRow {
  const [resource_type, action] = log;
  const after = resource_type === "dns_zone" ? withoutRecords(fieldsOf(resource)) : resource;
  return {
    account_id: caller.account_id,
    id: newId(),
    timestamp: now,
    resource_type,
    resource_id: idOf(resource),
    user_id: caller.id,
    user_name: caller.name,
    user_type: caller.kind,
    action,
    address,
    zone: zoneOf(resource_type, resource),
    resource: redacted(warnings.length === 0 ? after : { ...fieldsOf(after), warnings }),
    before: before === undefined ? null : redacted(differingFrom(after, before)),
  };
}

/**
 * The earlier values of the changed fields, null for fields that did not exist; null when nothing changed. The time of
 * the change is left out, because the entry has its own.
 */
function differingFrom(resource: unknown, before: object): Fields | null {
  const after = fieldsOf(resource);
  const was = fieldsOf(before);
  const changed = changedFields(was, after);
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((name) => [name, own(was, name) ?? null]));
}

/** The names of the fields that differ, except the time of the change. */
export const changedFields = (before: object, after: object): string[] =>
  Object.keys({ ...before, ...after }).filter(
    (name) => name !== "updated_at" && !isDeepStrictEqual(own(before, name), own(after, name)),
  );

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** Types of resources that belong to a zone and name it. */
export const zoneResourceTypes: readonly string[] = ["dns_zone", "dns_zone_version", "record", "zonefile"];

/** The zone of an entry: that of its resource, or the only one of a change set; otherwise "". */
function zoneOf(resource_type: string, resource: unknown): string {
  const { zone, zones } = fieldsOf(resource);
  if (zoneResourceTypes.includes(resource_type)) return String(zone ?? "");
  if (resource_type !== "changeset" || !Array.isArray(zones) || zones.length !== 1) return "";
  return String(fieldsOf(zones[0])["zone"] ?? "");
}

/** Removes a zone's records, which have entries of their own. */
const withoutRecords = ({ records: _, ...rest }: Fields) => rest;

/** The id of the resource; for a write of many records, the name of their zone. */
function idOf(resource: unknown): string {
  const { id, zone, name } = fieldsOf(resource);
  return String(id ?? zone ?? name ?? "");
}
