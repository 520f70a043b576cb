/** Pages of listings, also of those of which a caller may see some items only. */

import type { Page } from "../http/route.ts";

export interface OpenPage<T> {
  readonly items: readonly T[];
  /** The item after which the next page begins: always one that is shown, since a cursor is read by the caller. */
  readonly last: T | undefined;
}

/** Reads on past what is closed: at least this many at once, since most of them may be. */
const batch = 1000;

/** Fills a page with open items; `fetch` gives at most so many of those that follow an item. */
export async function openPage<T>(
  limit: number,
  isOpen: (item: T) => boolean,
  fetch: (after: T | undefined, count: number) => Promise<readonly T[]>,
): Promise<OpenPage<T>> {
  const open: T[] = [];
  let after: T | undefined;
  for (let count = limit + 1; ; count = Math.max(count, batch)) {
    const found = await fetch(after, count);
    for (const item of found) if (isOpen(item)) open.push(item);
    if (open.length > limit) break;
    if (found.length < count) return { items: open, last: undefined };
    after = found.at(-1);
  }
  const items = open.slice(0, limit);
  return { items, last: items.at(-1) };
}

/** A page of what is listed by id, all of which the caller may see; `fetch` gives those after an id. */
export async function pageById<T extends { readonly id: string }>(
  page: Page,
  fetch: (page: Page) => Promise<readonly T[]>,
): Promise<{ readonly items: readonly T[]; readonly next: string | undefined }> {
  const found = await fetch({ ...page, limit: page.limit + 1 });
  const items = found.slice(0, page.limit);
  return { items, next: found.length > items.length ? items.at(-1)?.id : undefined };
}

/** The cursor of what is listed by two columns, of which the second has no slash in it. */
export const printCursor = (first: string, second: string) => `${first}/${second}`;

/** Both columns of a cursor, of whoever wrote it; the first page begins at none. */
export function scanCursor(text = ""): readonly [first: string, second: string] {
  const slash = text.lastIndexOf("/");
  return slash < 0 ? [text, ""] : [text.slice(0, slash), text.slice(slash + 1)];
}
