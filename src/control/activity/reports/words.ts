/** An entry as people read it: who, what, and what became of it. */
import { isDeepStrictEqual } from "node:util";
import { clipped, oneLine } from "../../../lib/text/text.ts";
import { isObject, own } from "../../../lib/values.ts";
import type { ActivityRow } from "../../write/activity/store.ts";

const mostValue = 160;
const mostWords = 900;
/** Fewer than a page of a report has. */
const mostLines = 30;

/** The key or user, and what it is. */
export const whoOf = ({ user_name, user_id, user_type }: ActivityRow) =>
  `${oneLine(user_name || user_id)} (${user_type})`;

/** What a person calls the resource. */
export function nameOf({ resource, resource_id }: ActivityRow): string {
  if (!isObject(resource)) return oneLine(resource_id);
  const { zone, zones, domain, type, name, username } = resource;
  // of a change set
  if (Array.isArray(zones)) return clipped(zones.map((one) => String(Object(one).zone)).join(", "), mostValue);
  const names = domain === undefined ? [zone ?? name ?? username ?? resource_id] : [domain, type];
  return oneLine(names.map(String).join(" "));
}

/** Of a change, what each field was and is; otherwise what the resource holds. What was too large to keep is named first. */
export function wordsOf({ resource, before }: ActivityRow): string {
  const after = isObject(resource) ? resource : {};
  const omitted = new Set([...omittedOf(after), ...omittedOf(before)]);
  const kept = Object.entries(isObject(before) ? before : after).filter(([field]) => !omitted.has(field));
  const words = [
    ...(omitted.size > 0 ? [`too large to keep: ${[...omitted].join(", ")}`] : []),
    ...kept.flatMap(([field, value]) => {
      if (field === "omitted") return [];
      if (isObject(before)) return changesOf(field, value, own(after, field));
      return isTold(field, value) ? `${field}: ${valueText(value)}` : [];
    }),
  ];
  const shown = words.length > mostLines ? [...words.slice(0, mostLines), "\u2026"] : words;
  return clipped(shown.map(oneLine).join("\n"), mostWords);
}

/** Fields that one of the two is without. */
const omittedOf = (side: unknown): readonly unknown[] => {
  const { omitted } = Object(side) as { omitted?: unknown };
  return Array.isArray(omitted) ? omitted : [];
};

/** In an object, of each field that differs. */
function changesOf(field: string, was: unknown, is: unknown): string[] {
  if (!isObject(was) || !isObject(is)) return [`${field}: ${valueText(was)} \u2192 ${valueText(is)}`];
  const names = Object.keys({ ...was, ...is }).filter((name) => !isDeepStrictEqual(own(was, name), own(is, name)));
  return names.flatMap((name) => changesOf(`${field}.${name}`, own(was, name), own(is, name)));
}

/** In the name, or of no interest to people. */
const untold = new Set([
  ...["id", "zone", "domain", "type", "name", "username", "created_at", "updated_at"],
  ...["tier", "serial", "customer", "customerid", "key", "secret", "networks", "use_client_subnet"],
]);

const blanks = [null, undefined, "", false, [], {}];

const isTold = (field: string, value: unknown) =>
  !untold.has(field) && !blanks.some((blank) => isDeepStrictEqual(blank, value));

function valueText(value: unknown): string {
  if (value === null || value === undefined || isDeepStrictEqual(value, [])) return "none";
  const text = Array.isArray(value) ? value.map(itemText).join(", ") : JSON.stringify(value);
  return clipped(oneLine(typeof value === "string" ? value : text), mostValue);
}

/** Of a record its place, of an answer what it says and what else it has. */
function itemText(item: unknown): string {
  if (!isObject(item)) return typeof item === "string" ? item : JSON.stringify(item);
  const { id: _, domain, type, answer, ...rest } = item;
  if (typeof domain === "string" && typeof type === "string") return `${domain} ${type}`;
  if (!Array.isArray(answer)) return JSON.stringify(item);
  const more = Object.entries(rest).filter(([field, value]) => isTold(field, value));
  return [answer.join(" "), ...(more.length > 0 ? [JSON.stringify(Object.fromEntries(more))] : [])].join(" ");
}
