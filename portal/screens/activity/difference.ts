/** The difference of an entry, field by field: every value that was, and every value that is now. */

import { isObject } from "../../api/is-object.ts";
import type { ActivityEntry } from "../../api/types.ts";
import { visibleOf } from "../../kit/plain.ts";
import { activityTexts as texts } from "../../text/activity.ts";

export interface Difference {
  /** The way to the value, from the outside in. */
  readonly path: readonly string[];
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
  /** Whether it is an answer of a record, whose other values are below it. */
  readonly isAnswer?: boolean;
}

type Leaves = ReadonlyMap<string, Leaf>;

const removing: readonly string[] = ["delete", "purge"];
/** Fields without news: an entry has its own time, and ids of parts change with them. */
const silent = new Set(["id", "created_at", "updated_at", "omitted"]);

export function differencesOf({ action, resource, before }: ActivityEntry): Difference[] {
  if (!isObject(before)) {
    const isRemoved = removing.includes(action);
    const leaves = [...leavesOf(resource).values()].filter(({ path }) => path.at(-1) !== texts.order);
    return leaves.map(({ path, text }) =>
      isRemoved ? { path, before: text, after: undefined } : { path, before: undefined, after: text },
    );
  }
  const now = isObject(resource) ? resource : {};
  const was = leavesOf(before);
  const after = inPlaceOf(was, leavesOf(Object.fromEntries(Object.keys(before).map((name) => [name, now[name]]))));
  return [...new Map([...was, ...after])].flatMap(([key, { path }]) => {
    const [one, other] = [was.get(key)?.text, after.get(key)?.text];
    if (one === other || (path.at(-1) === texts.order && !isMoved(one, other))) return [];
    return [{ path, before: one, after: other }];
  });
}

/** The only answer that came takes the place of the only one that went: both stand in the same rows. */
function inPlaceOf(was: Leaves, after: Leaves): Leaves {
  const [gone, ...othersGone] = answersMissing(was, after);
  const [come, ...othersCome] = answersMissing(after, was);
  if (!gone || !come || othersGone.length > 0 || othersCome.length > 0) return after;
  const isOf = (path: readonly string[]) => come.every((part, at) => part === path[at]);
  return leavesBy(
    [...after.values()].map((leaf) =>
      isOf(leaf.path) ? { ...leaf, path: [...gone, ...leaf.path.slice(come.length)] } : leaf,
    ),
  );
}

/** The ways to the answers that one side has and the other has not. */
const answersMissing = (one: Leaves, other: Leaves) =>
  [...one].flatMap(([key, { path, isAnswer }]) => (isAnswer && !other.has(key) ? [path] : []));

const keyOf = (path: readonly string[]) => JSON.stringify(path);
const leavesBy = (leaves: readonly Leaf[]): Leaves => new Map(leaves.map((leaf) => [keyOf(leaf.path), leaf]));

/** Whether two orders have the same items: others tell of themselves what came and went. */
const isMoved = (one = "", other = "") => sorted(one) === sorted(other);
const sorted = (names: string) => names.split(", ").sort().join();

/** The fields that were too large for the log. */
export function omittedOf({ resource, before }: ActivityEntry): string[] {
  const named = [resource, before].map((side) => (isObject(side) ? side["omitted"] : undefined));
  return [...new Set(named.flatMap((names) => (Array.isArray(names) ? names.map(String) : [])))];
}

function leavesOf(value: unknown): Leaves {
  const leaves: Leaf[] = [];
  const add = (path: readonly string[], text: string) => leaves.push({ path, text });
  const walk = (path: readonly string[], one: unknown): void => {
    if (one === null || one === undefined) return;
    if (isObject(one)) walkFields(path, one);
    else if (!Array.isArray(one)) add(path, textOf(one));
    else if (one.some(isObject)) walkItems(path, one);
    else if (one.length > 0) add(path, one.map(textOf).join(", "));
  };
  const walkFields = (path: readonly string[], fields: Fields, without: readonly string[] = []) => {
    for (const [name, field] of Object.entries(fields))
      if (!silent.has(name) && !without.includes(name)) walk([...path, name], field);
  };
  const walkItems = (path: readonly string[], items: readonly unknown[]) => {
    const names = namesOf(items);
    for (const [at, item] of items.entries()) {
      const [place, naming] = [[...path, names[at]!], namingOf(item)];
      if (!isObject(item)) walk(place, item);
      else {
        if (naming !== undefined) leaves.push({ path: place, text: naming.text, isAnswer: "answer" in item });
        walkFields(place, item, naming?.fields);
      }
    }
    if (items.length > 1) add([...path, texts.order], names.join(", "));
  };
  walk([], value);
  return leavesBy(leaves);
}

type Fields = { readonly [name: string]: unknown };

const textOf = (value: unknown): string => visibleOf(typeof value === "string" ? value : JSON.stringify(value));

/** Names of the items of a list, each different: what an item is called stays when its place changes. */
function namesOf(items: readonly unknown[]): string[] {
  const seen = new Map<string, number>();
  return items.map((item, at) => {
    const name = namingOf(item)?.text ?? String(at + 1);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** The name of an item of a list, and the fields that say it. */
function namingOf(item: unknown): { readonly text: string; readonly fields: readonly string[] } | undefined {
  if (!isObject(item)) return undefined;
  const { domain, type, answer } = item;
  if (typeof domain === "string" && typeof type === "string")
    return { text: visibleOf(`${domain} ${type}`), fields: ["domain", "type", "zone"] };
  if (Array.isArray(answer)) return { text: answer.map(textOf).join(" "), fields: ["answer"] };
  const field = ["zone", "filter", "name", "id"].find((name) => typeof item[name] === "string");
  return field === undefined ? undefined : { text: visibleOf(String(item[field])), fields: [field] };
}
