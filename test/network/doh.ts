/** Requests for DNS over HTTPS: valid, invalid and endless, and two clients that send them. */
import { once } from "node:events";
import { request as http1Request, type RequestOptions } from "node:https";
import { frame, getFields, type HttpReply, openHttp2, query, request } from "./streams.ts";

export interface HttpQuery {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export type AskHttp = (port: number, asked: HttpQuery) => Promise<HttpReply>;

export async function askHttp2(port: number, { method, path, headers, body }: HttpQuery): Promise<HttpReply> {
  const session = await openHttp2(port);
  try {
    return await request(session, { ":method": method, ":path": path, ...headers }, body);
  } finally {
    session.destroy();
  }
}

export async function askHttp1(port: number, { method, path, headers = {}, body }: HttpQuery): Promise<HttpReply> {
  const options: RequestOptions = { host: "127.0.0.1", port, method, path, headers, rejectUnauthorized: false };
  const sent = http1Request({ ...options, agent: false });
  sent.on("error", () => {});
  sent.end(body);
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const octets of response) chunks.push(octets);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

export const mediaType = "application/dns-message";
export const post = (body: Uint8Array, type = mediaType): HttpQuery => ({
  method: "POST",
  path: "/dns-query",
  headers: type === "" ? {} : { "content-type": type },
  body,
});
export const get = (dns: string): HttpQuery => ({ method: "GET", path: `/dns-query${dns}` });
export const coded = (octets: Uint8Array) => Buffer.from(octets).toString("base64url");

type HttpCase = readonly [name: string, asked: HttpQuery, status: number];

/** Variants of an answered query, and the status of each. */
export const httpCases = (good: Uint8Array): readonly HttpCase[] => [
  ["a query may come in a GET", get(`?dns=${coded(good)}`), 200],
  ["a GET may have another parameter", get(`?x=1&dns=${coded(good)}`), 200],
  ["a query may be posted", post(good), 200],
  ["the media type may have a parameter", post(good, `${mediaType}; charset=x`), 200],
  [
    "a client that accepts JSON gets DNS",
    { ...get(`?dns=${coded(good)}`), headers: { accept: "application/json" } },
    200,
  ],
  ["a GET without dns is a bad request", get(""), 400],
  ["an empty dns is a bad request", get("?dns="), 400],
  ["text that is not base64url is a bad request", get("?dns=a+b/c*"), 400],
  ["three octets are a bad request", get("?dns=AAAA"), 400],
  ["base64url with padding is a bad request", get(`?dns=${coded(query(1, 13))}==`), 400],
  ["dns twice is a bad request", get(`?dns=${coded(good)}&dns=${coded(good)}`), 400],
  ["an empty POST is a bad request", post(Buffer.alloc(0)), 400],
  ["a response is a bad request", post(Buffer.concat([Buffer.of(0, 1, 0x80), Buffer.alloc(9)])), 400],
  ["text is not a DNS message", post(good, "text/plain"), 415],
  ["a body without a type is not a DNS message", post(good, ""), 415],
  ["70,000 octets are too many to post", post(query(1, 70_000)), 413],
  ["20 KB are too many for a GET", get(`?dns=${coded(query(1, 15_000))}`), 414],
  ["PUT is not allowed", { ...post(good), method: "PUT" }, 405],
  ["DELETE is not allowed", { method: "DELETE", path: "/dns-query" }, 405],
  ["another path is not found", { method: "GET", path: `/?dns=${coded(good)}` }, 404],
];

/** Frames of HTTP/2 that a client can send without end, by the number of a new stream. */
export const floods = (
  good: Uint8Array,
): readonly (readonly [name: string, frames: (stream: number) => readonly Buffer[]])[] => {
  const fields = getFields(`/dns-query?dns=${coded(good)}`);
  const more = Buffer.concat([Buffer.of(0x40, 2, 0x78, 0x78, 100), Buffer.alloc(100, 0x61)]);
  return [
    ["streams that are opened and reset", (id) => [frame(1, 5, id, fields), frame(3, 0, id, Buffer.of(0, 0, 0, 8))]],
    ["streams that are opened", (id) => [frame(1, 5, id, fields)]],
    ["pings", () => [frame(6, 0, 0, Buffer.alloc(8))]],
    ["settings", () => [frame(4, 0, 0, Buffer.of(0, 4, 0, 0, 0xff, 0xff))]],
    ["endless header fields", (id) => [frame(id === 1 ? 1 : 9, 0, 1, more)]],
  ];
};

/** Excessive header fields, which are added to those of a valid request, or replace them. */
export const heavyFields: readonly (readonly [name: string, headers: Readonly<Record<string, string>>])[] = [
  ["64 KB of header fields", { "x-long": "x".repeat(64_000) }],
  ["1,000 header fields", Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x-${n}`, "1"]))],
  ["a GET of 200 KB", { ":path": `/dns-query?dns=${"A".repeat(200_000)}` }],
];
