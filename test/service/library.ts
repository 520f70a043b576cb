/** A small real service behind the route kit: shelves and books in memory, with transactions that roll back after an error. */
import type { Registry } from "prom-client";
import { Type } from "typebox";
import type { Credentials } from "../../src/http/message/credentials.ts";
import { flag } from "../../src/http/route/query.ts";
import { Download, Reply, type Route, routeFor } from "../../src/http/route/route.ts";
import type { Outcome, ReadRequest, Service, WriteRequest, Written } from "../../src/http/route/service.ts";
import { createServer, type Extra, type HttpServer, type Limits } from "../../src/http/server.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import type { Rate } from "../../src/lib/fair/bucket.ts";
import { newLog } from "../../src/lib/log.ts";
import { conflict, denied, missing } from "../../src/lib/problem.ts";

export type LibraryRight = "read" | "write";

interface Reader {
  readonly library: string;
  readonly rights: readonly LibraryRight[];
  readonly from?: string;
}

export interface Book {
  readonly title: string;
  readonly pages: number;
  readonly tags: Record<string, unknown>;
}

export interface LibraryCtx {
  readonly books: Map<string, Book>;
  change(): void;
}

const keys = new Map<string, Reader>(
  Object.entries({
    "librarian-key": { library: "main", rights: ["read", "write"] },
    "reader-key": { library: "main", rights: ["read"] },
    "writer-key": { library: "main", rights: ["write"] },
    "guest-key": { library: "main", rights: [] },
    "distant-key": { library: "main", rights: ["read"], from: "192.0.2.1" },
    "branch-key": { library: "branch", rights: ["read", "write"] },
  }),
);

export class Library implements Service<Reader, LibraryRight, LibraryCtx> {
  readonly activity: { readonly log: readonly [string, string]; readonly resource: unknown }[] = [];
  readonly asked: (string | undefined)[] = [];
  books = new Map<string, Book>();
  limit: Rate = { limit: 10_000, period: 1 };
  changes = 0;
  readonly #replies = new Map<string, { readonly request: string; readonly written: Written }>();
  #last: Promise<unknown> = Promise.resolve();

  async authenticate({ key, session, csrf, safe }: Credentials) {
    this.asked.push(key);
    if (session !== "a-session") return key === undefined ? undefined : keys.get(key);
    if (!safe && csrf !== "a-token") throw denied("the token is missing");
    return keys.get("librarian-key");
  }

  admit({ from }: Reader, address: string) {
    if (from !== undefined && from !== address) throw denied(`not from ${address}`);
  }

  permit({ rights }: Reader, [right, ...others]: readonly [LibraryRight, ...LibraryRight[]]) {
    if (![right, ...others].some((one) => rights.includes(one))) throw denied(`you may not ${right}`);
  }

  accountOf({ library }: Reader) {
    return library;
  }

  rate() {
    return this.limit;
  }

  read<T>(_caller: Reader | undefined, _request: ReadRequest<Reader>, run: (ctx: LibraryCtx) => Promise<T>) {
    return run({ books: this.books, change: () => {} });
  }

  async settle() {
    return { serials: {}, outstanding: undefined };
  }

  write(
    caller: Reader | undefined,
    request: WriteRequest<Reader, LibraryCtx>,
    run: (ctx: LibraryCtx) => Promise<Outcome>,
  ) {
    const done = this.#last.then(() =>
      this.#transaction(`${caller?.library} ${request.idempotency?.key}`, request, run),
    );
    this.#last = done.catch(() => {});
    return done;
  }

  async #transaction(
    scope: string,
    request: WriteRequest<Reader, LibraryCtx>,
    run: (ctx: LibraryCtx) => Promise<Outcome>,
  ): Promise<Written> {
    const { idempotency, precondition, log } = request;
    const kept = idempotency && this.#replies.get(scope);
    if (kept) {
      if (kept.request !== idempotency.request) throw conflict("Idempotency-Key was used for another request");
      return { ...kept.written, replayed: true };
    }
    const books = new Map(this.books);
    let touched = false;
    const ctx = {
      books,
      change: () => {
        touched = true;
      },
    };
    await precondition?.(ctx);
    const { changed, resource, reply } = await run(ctx);
    this.books = books;
    if (changed && log) this.activity.push({ log, resource });
    const written = { reply, change: touched ? `change-${++this.changes}` : undefined, replayed: false };
    if (idempotency) this.#replies.set(scope, { request: idempotency.request, written });
    return written;
  }
}

const route = routeFor<LibraryRight, LibraryCtx>();
const BookBody = Type.Object({
  title: Type.Optional(Type.String({ maxLength: 64 })),
  pages: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
  tags: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true })),
  chapters: Type.Optional(Type.Array(Type.Object({ name: Type.Union([Type.String(), Type.Null()]) }))),
});
const BookReply = Type.Object({
  title: Type.String(),
  pages: Type.Integer(),
  tags: Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
});
const places = { tag: "Books", right: "read" } as const;

function bookAt(books: ReadonlyMap<string, Book>, id: string): Book {
  const book = books.get(id);
  if (!book) throw missing("book not found", { id });
  return book;
}

const scan = {
  octets: 30_000_000,
  etag: '"scan"',
  async *read() {
    for (let page = 0; page < 30; page++) yield Buffer.alloc(1_000_000);
  },
  close: async () => {},
};

export const libraryRoutes: readonly Route<LibraryRight, LibraryCtx>[] = [
  route({
    ...places,
    method: "GET",
    path: "/v1/scan",
    summary: "Get a book page by page",
    produces: { "application/octet-stream": Type.String() },
    reply: "download",
    run: async () => new Download(scan, "scan", "application/octet-stream"),
  }),
  route({
    ...places,
    method: "GET",
    path: "/v1/books",
    summary: "List books",
    query: Type.Object({
      long: flag("whole books"),
      least: Type.Optional(Type.Integer({ minimum: 0, maximum: 9999 })),
      q: Type.Optional(Type.String()),
    }),
    page: 3,
    reply: Type.Array(Type.Partial(BookReply)),
    run: async ({ query, page }, { books }) => {
      const found = [...books]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .filter(
          ([id, { pages }]) => id > (page.after ?? "") && pages >= (query.least ?? 0) && id.includes(query.q ?? ""),
        );
      const slice = found.slice(0, page.limit);
      const items = slice.map(([, book]) => (query.long ? book : { title: book.title }));
      return new Reply(items, { next: found.length > slice.length ? slice.at(-1)?.[0] : undefined, total: books.size });
    },
  }),
  route({
    ...places,
    method: "GET",
    path: "/v1/books/:id",
    summary: "Read a book",
    reply: BookReply,
    run: async ({ params }, { books }) => ({ ...bookAt(books, params.id), secret: "never shown" }),
  }),
  route({
    ...places,
    right: "write",
    method: "PUT",
    path: "/v1/books/:id",
    summary: "Create a book",
    body: BookBody,
    reply: BookReply,
    log: ["book", "create"],
    run: async ({ params, body }, { books, change }) => {
      if (books.has(params.id)) throw conflict("book already exists");
      const book = { title: body.title ?? params.id, pages: body.pages ?? 1, tags: body.tags ?? {} };
      books.set(params.id, book);
      change();
      return book;
    },
  }),
  route({
    ...places,
    right: "write",
    method: "POST",
    path: "/v1/books/:id",
    summary: "Change a book",
    body: BookBody,
    reply: BookReply,
    log: ["book", "update"],
    run: async ({ params, body }, { books, change }) => {
      const before = bookAt(books, params.id);
      const book = { ...before, ...body };
      if (JSON.stringify(book) === JSON.stringify(before)) return new Reply(before, { changed: false });
      books.set(params.id, book);
      change();
      return book;
    },
  }),
  route({
    ...places,
    right: "write",
    method: "DELETE",
    path: "/v1/books/:id",
    summary: "Remove a book",
    reply: "status",
    log: ["book", "delete"],
    run: async ({ params }, { books, change }) => {
      const book = bookAt(books, params.id);
      books.delete(params.id);
      change();
      return book;
    },
  }),
  route({
    ...places,
    right: "any",
    method: "GET",
    path: "/v1/books/:id/echo/:page",
    summary: "Show the parameters",
    reply: Type.Array(Type.String()),
    run: async ({ params }) => [params.id, params.page],
  }),
  route({
    ...places,
    right: "write",
    method: "POST",
    path: "/v1/books/:id/large",
    summary: "Accept much",
    body: Type.Any(),
    mostBody: 5_000_000,
    mostKeys: 100_000,
    secret: true,
    reply: "status",
    run: async () => undefined,
  }),
  route({
    ...places,
    right: ["write", "read"],
    method: "POST",
    path: "/v1/wishes",
    summary: "Wish for a book",
    body: Type.Object({ title: Type.String() }),
    ownTransaction: true,
    reply: Type.String(),
    run: async ({ body }) => body.title,
  }),
  route({
    ...places,
    right: "open",
    method: "GET",
    path: "/v1/hours",
    summary: "When it is open",
    reply: Type.String(),
    run: async () => "always",
  }),
  route({
    ...places,
    right: "open",
    ownSite: true,
    method: "POST",
    path: "/v1/card",
    summary: "Become a reader",
    body: Type.Object({ name: Type.String() }),
    ownTransaction: true,
    reply: Type.String(),
    run: async ({ body }) => new Reply(body.name, { cookie: "card=1" }),
  }),
  route({
    ...places,
    right: "any",
    method: "GET",
    path: "/alerting/v1/alerts",
    summary: "A path of another shape",
    reply: Type.Array(Type.String()),
    secret: true,
    run: async () => [],
  }),
  route({
    ...places,
    right: "any",
    method: "POST",
    path: "/v1/fire",
    summary: "Fail",
    reply: "status",
    run: async () => {
      throw new Error("a secret of the house");
    },
  }),
];

export interface LibraryOptions {
  readonly clock?: Clock;
  readonly trustedProxies?: readonly string[];
  readonly publicUrl?: string;
  readonly linkBase?: string;
  readonly limits?: Partial<Limits>;
  readonly extra?: readonly Extra[];
  readonly registry?: Registry;
}

export interface OpenLibrary {
  readonly library: Library;
  readonly server: HttpServer;
  readonly port: number;
  readonly url: string;
}

/** Opens a library on a free port of the loopback. */
export async function openLibrary(options: LibraryOptions = {}): Promise<OpenLibrary> {
  const library = new Library();
  const server = createServer({
    routes: libraryRoutes,
    service: library,
    log: newLog("silent", "test"),
    clock: systemClock,
    trustedProxies: [],
    publicUrl: "http://library.example",
    info: { title: "Library <API>", version: "1" },
    strictReplies: true,
    uploadLimit: 2 ** 20,
    ...options,
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  return { library, server, port, url: `http://127.0.0.1:${port}` };
}
