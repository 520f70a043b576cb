/** Pages of listings, including listings of which a caller may see only some items. */
import { jsonOf } from "../../http/route/reply.ts";
import type { Page } from "../../http/route/route.ts";
import { LongWork } from "../../lib/fair/yield.ts";

export interface OpenPage<T> {
  readonly items: readonly T[];
  /** The item after which the next page begins; undefined on the last page. Always one of `items`, because the caller can read the cursor. */
  readonly last: T | undefined;
}

/** Items in each read but the first: many, because the caller may be allowed to see few of them. */
const batch = 1000;
/** Items in the first read, which shows how large the items are. */
const firstBatch = 200;
/** The approximate limit of characters in a page: a reply is composed in memory in one step. */
export const mostText = 16 * 1024 * 1024;

/** The characters left in a page. The first item always fits, however large it is. */
class Budget {
  #left = mostText;
  #isEmpty = true;

  takes(item: unknown): boolean {
    this.#left -= jsonOf(item).length;
    const taken = this.#isEmpty || this.#left >= 0;
    this.#isEmpty = false;
    return taken;
  }
}

/** Items that a read returned; without `isLast`, they are the last ones if there are fewer than were asked for. */
type Fetched<T> = readonly T[] | { readonly items: readonly T[]; readonly isLast: boolean };

/** Fills a page with items for which `isOpen` is true. `fetch` returns at most `count` items that follow the item `after`. */
export async function openPage<T>(
  limit: number,
  isOpen: (item: T) => boolean,
  fetch: (after: T | undefined, count: number) => Promise<Fetched<T>>,
): Promise<OpenPage<T>> {
  const items: T[] = [];
  const budget = new Budget();
  const work = new LongWork();
  let after: T | undefined;
  for (let count = Math.min(limit + 1, firstBatch); ; count = batch) {
    const fetched = await fetch(after, count);
    const { items: found, isLast } = "isLast" in fetched ? fetched : { items: fetched, isLast: fetched.length < count };
    for (const item of found) {
      if (!isOpen(item)) continue;
      if (work.isDue) await work.giveWay();
      if (items.length === limit || !budget.takes(item)) return { items, last: items.at(-1) };
      items.push(item);
    }
    if (isLast) return { items, last: undefined };
    after = found.at(-1) ?? after;
  }
}

/** A page of a listing ordered by id, when the caller may see all items. `fetch` returns the items after an id. */
export const pageById = <T extends { readonly id: string }>(
  { limit, after }: Page,
  fetch: (page: Page) => Promise<readonly T[]>,
): Promise<OpenPage<T>> =>
  openPage<T>(
    limit,
    () => true,
    (last, count) => fetch({ limit: count, after: last?.id ?? after }),
  );

/** A page as replies show it. It may contain fewer items than the stored page, because an item may be larger when shown. */
export async function shownPage<T, Shown>(
  { items, last }: OpenPage<T>,
  show: (item: T) => Shown,
): Promise<{ readonly shown: Shown[]; readonly last: T | undefined }> {
  const budget = new Budget();
  const work = new LongWork();
  const shown: Shown[] = [];
  for (const item of items) {
    if (work.isDue) await work.giveWay();
    const one = show(item);
    if (!budget.takes(one)) return { shown, last: items[shown.length - 1] };
    shown.push(one);
  }
  return { shown, last };
}

/** The cursor of a listing ordered by two columns; the second column must not contain a slash. */
export const printCursor = (first: string, second: string) => `${first}/${second}`;

/** Both columns of a cursor from an untrusted client; both are empty for the first page. */
export function scanCursor(text = ""): readonly [first: string, second: string] {
  const slash = text.lastIndexOf("/");
  return slash < 0 ? [text, ""] : [text.slice(0, slash), text.slice(slash + 1)];
}

/** A whole number in a cursor of an untrusted client; 0 if it is none. */
export const scanWhole = (text = ""): number => (/^-?\d{1,15}$/.test(text) ? Number(text) : 0);
