/** The text of an entry for people: the caller, the resource and the change. */
import { isDeepStrictEqual } from "node:util";
import { clipped, oneLine } from "../../../lib/text/text.ts";
import { isObject, own } from "../../../lib/values.ts";
import type { ActivityRow } from "../../write/activity/store.ts";

const mostValue = 160;
const mostWords = 900;
/** Lines of one entry: fewer than fit on a page of a report. */
const mostLines = 30;

/** The caller's name and type. */
export const whoOf = ({ user_name, user_id, user_type }: ActivityRow) =>
  `${oneLine(user_name || user_id)} (${user_type})`;

/** The resource's name for people. */
export function nameOf({ resource, resource_id }: ActivityRow): string {
  if (!isObject(resource)) return oneLine(resource_id);
  const { zone, zones, domain, type, name, username } = resource;
  // a change set
  if (Array.isArray(zones)) return clipped(zones.map((one) => String(Object(one).zone)).join(", "), mostValue);
  const names = domain === undefined ? [zone ?? name ?? username ?? resource_id] : [domain, type];
  return oneLine(names.map(String).join(" "));
}

/**
 * For a change, each field before and after; otherwise the resource's fields. Fields too large to store are named
 * first.
 */
export function wordsOf({ resource, before }: ActivityRow): string {
  const after = isObject(resource) ? resource : {};
  const omitted = new Set([...omittedOf(after), ...omittedOf(before)]);
  const kept = Object.entries(isObject(before) ? before : after).filter(([field]) => !omitted.has(field));
  const words = [
    ...(omitted.size > 0 ? [`too large to store: ${[...omitted].join(", ")}`] : []),
    ...kept.flatMap(([field, value]) => {
      if (field === "omitted") return [];
      if (isObject(before)) return changesOf(field, value, own(after, field));
      return isShown(field, value) ? `${field}: ${valueText(value)}` : [];
    }),
  ];
  const shown = words.length > mostLines ? [...words.slice(0, mostLines), "\u2026"] : words;
  return clipped(shown.map(oneLine).join("\n"), mostWords);
}

/** The fields that were left out of one side of the entry. */
const omittedOf = (side: unknown): readonly unknown[] => {
  const { omitted } = Object(side) as { omitted?: unknown };
  return Array.isArray(omitted) ? omitted : [];
};

/** The change of a field; if it is an object, the changes of the fields in it that differ. */
function changesOf(field: string, was: unknown, is: unknown): string[] {
  if (!isObject(was) || !isObject(is)) return [`${field}: ${valueText(was)} \u2192 ${valueText(is)}`];
  const names = Object.keys({ ...was, ...is }).filter((name) => !isDeepStrictEqual(own(was, name), own(is, name)));
  return names.flatMap((name) => changesOf(`${field}.${name}`, own(was, name), own(is, name)));
}

/** Fields that are in the name, or of no interest to people. */
const hidden = new Set([
  ...["id", "zone", "domain", "type", "name", "username", "created_at", "updated_at"],
  ...["tier", "serial", "customer", "customerid", "key", "secret", "networks", "use_client_subnet"],
]);

const blanks = [null, undefined, "", false, [], {}];

const isShown = (field: string, value: unknown) =>
  !hidden.has(field) && !blanks.some((blank) => isDeepStrictEqual(blank, value));

function valueText(value: unknown): string {
  if (value === null || value === undefined || isDeepStrictEqual(value, [])) return "none";
  const text = Array.isArray(value) ? value.map(itemText).join(", ") : JSON.stringify(value);
  return clipped(oneLine(typeof value === "string" ? value : text), mostValue);
}

/** A record's name and type; an answer's data and its further fields. */
function itemText(item: unknown): string {
  if (!isObject(item)) return typeof item === "string" ? item : JSON.stringify(item);
  const { id: _, domain, type, answer, ...rest } = item;
  if (typeof domain === "string" && typeof type === "string") return `${domain} ${type}`;
  if (!Array.isArray(answer)) return JSON.stringify(item);
  const more = Object.entries(rest).filter(([field, value]) => isShown(field, value));
  return [answer.join(" "), ...(more.length > 0 ? [JSON.stringify(Object.fromEntries(more))] : [])].join(" ");
}
