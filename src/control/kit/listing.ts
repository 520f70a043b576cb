/** Pages of listings, also of those of which a caller may see some items only. */
import type { Page } from "../../http/route/route.ts";
import { LongWork } from "../../lib/fair/yield.ts";

export interface OpenPage<T> {
  readonly items: readonly T[];
  /** The item after which the next page begins: always one that is shown, since a cursor is read by the caller. */
  readonly last: T | undefined;
}

/** Reads on past what is closed: at least this many at once, since most of them may be. */
const batch = 1000;
/** How large they are shows in the first ones. */
const firstBatch = 200;
/** Characters of the items of one page, about: a reply is composed in memory, and at one go. */
export const mostText = 16 * 1024 * 1024;

/** What a page has room for: one item always, however large. */
class Room {
  #left = mostText;
  #isEmpty = true;

  takes(item: unknown): boolean {
    this.#left -= JSON.stringify(item).length;
    const taken = this.#isEmpty || this.#left >= 0;
    this.#isEmpty = false;
    return taken;
  }
}

/** Fills a page with open items, as far as there is room; `fetch` gives at most so many of those that follow an item. */
export async function openPage<T>(
  limit: number,
  isOpen: (item: T) => boolean,
  fetch: (after: T | undefined, count: number) => Promise<readonly T[]>,
): Promise<OpenPage<T>> {
  const items: T[] = [];
  const room = new Room();
  let after: T | undefined;
  for (let count = Math.min(limit + 1, firstBatch); ; count = batch) {
    const found = await fetch(after, count);
    for (const item of found) {
      if (!isOpen(item)) continue;
      if (items.length === limit || !room.takes(item)) return { items, last: items.at(-1) };
      items.push(item);
    }
    if (found.length < count) return { items, last: undefined };
    after = found.at(-1);
  }
}

/** A page of what is listed by id, all of which the caller may see; `fetch` gives those after an id. */
export const pageById = <T extends { readonly id: string }>(
  { limit, after }: Page,
  fetch: (page: Page) => Promise<readonly T[]>,
): Promise<OpenPage<T>> =>
  openPage<T>(
    limit,
    () => true,
    (last, count) => fetch({ limit: count, after: last?.id ?? after }),
  );

/** A page as replies show it, which may have room for fewer: their items may be larger than what they are made of. */
export async function shownPage<T, Shown>(
  { items, last }: OpenPage<T>,
  show: (item: T) => Shown,
): Promise<{ readonly shown: Shown[]; readonly last: T | undefined }> {
  const room = new Room();
  const work = new LongWork();
  const shown: Shown[] = [];
  for (const item of items) {
    await work.giveWay();
    const one = show(item);
    if (!room.takes(one)) return { shown, last: items[shown.length - 1] };
    shown.push(one);
  }
  return { shown, last };
}

/** The cursor of what is listed by two columns, of which the second has no slash in it. */
export const printCursor = (first: string, second: string) => `${first}/${second}`;

/** Both columns of a cursor, of whoever wrote it; the first page begins at none. */
export function scanCursor(text = ""): readonly [first: string, second: string] {
  const slash = text.lastIndexOf("/");
  return slash < 0 ? [text, ""] : [text.slice(0, slash), text.slice(slash + 1)];
}
