/** Requests as octets: valid requests, requests with a fault, and octets that are not a request. */
import type { Draw } from "../../interop/differential/draw.ts";
import { hostileHeader, hostileName, hostileText, hostileValue, methods, Raw } from "./hostile.ts";
import { drawNoise } from "./noise.ts";
import type { Operation } from "./operations.ts";
import { type Known, type Params, type Sketch, SoundMaker } from "./sound.ts";

export type Kind = "sound" | "path" | "query" | "headers" | "body" | "text" | "method" | "noise";
/** The callers. */
export type Who = "full" | "user" | "limited" | "anonymous";

/** Headers of callers with credentials. */
export type Callers = Readonly<Record<Exclude<Who, "anonymous">, Sketch["headers"]>>;

export interface FuzzRequest {
  readonly kind: Kind;
  readonly who: Who;
  readonly octets: Buffer;
  readonly method: string;
  /** The operation that the request was made from; noise has none. */
  readonly operation: Operation | undefined;
  readonly params: Params;
}

const spoilt: readonly Kind[] = ["path", "query", "headers", "body", "body", "body", "text", "text", "method"];

export class RequestMaker {
  readonly #draw: Draw;
  readonly #operations: readonly Operation[];
  /** Operations with a body, in which more can go wrong. */
  readonly #withBody: readonly Operation[];
  readonly #callers: Callers;
  readonly #sound: SoundMaker;

  constructor(draw: Draw, operations: readonly Operation[], callers: Callers, known: Known) {
    this.#draw = draw;
    this.#operations = operations;
    this.#withBody = operations.filter(({ body }) => body !== undefined);
    this.#callers = callers;
    this.#sound = new SoundMaker(draw, known);
  }

  next(): FuzzRequest {
    const draw = this.#draw;
    const share = draw.random();
    const who = draw.chance(0.75) ? "full" : draw.pick(["user", "user", "limited", "anonymous"] as const);
    if (share < 0.08) {
      const octets = Buffer.from(drawNoise(draw, this.#callers.full[0]![1]), "latin1");
      return { kind: "noise", who: "full", octets, method: "", operation: undefined, params: {} };
    }
    const operation = draw.pick(draw.chance(0.5) ? this.#withBody : this.#operations);
    const kind = share < 0.4 ? "sound" : draw.pick(operation.body ? spoilt : spoilt.filter((one) => one !== "body"));
    return this.#spoilt(kind, endsSession(operation) ? "anonymous" : who, this.#sound.make(operation));
  }

  #spoilt(kind: Kind, who: Who, sound: Sketch): FuzzRequest {
    const draw = this.#draw;
    const { operation } = sound;
    let { params, query, body } = sound;
    const headers: (readonly [string, string])[] = [...sound.headers];
    let { method } = operation;
    if (kind === "path") params = this.#hostileParams(operation, params);
    if (kind === "query") query = [...query, ...this.#hostileQuery(operation)];
    if (kind === "headers") headers.push(...Array.from({ length: draw.number(1, 3) }, () => hostileHeader(draw)));
    if (kind === "method") method = draw.pick(methods);
    if (kind === "body") body = spoil(draw, body);
    let text = body === undefined ? undefined : printBody(body, operation.takesFile);
    if (kind === "text") text = spoilText(draw, text ?? "{}");
    if (who !== "anonymous") headers.unshift(...this.#callers[who]);
    if (text !== undefined && draw.chance(0.9) && !headers.some(([name]) => name === "Content-Type")) {
      headers.push(["Content-Type", operation.takesFile ? "text/plain" : "application/json"]);
    }
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => this.#escape(kind, params[name]!));
    const pairs = query.map(([name, value]) => `${this.#escape(kind, name)}=${this.#escape(kind, value)}`);
    const target = pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
    const octets = this.#write(method, target, headers, text);
    return { kind, who, octets, method, operation, params };
  }

  #hostileParams({ params }: Operation, drawn: Params): Params {
    const hit = params.length === 0 ? [] : this.#draw.some(params);
    return { ...drawn, ...Object.fromEntries(hit.map((name) => [name, hostileText(this.#draw)])) };
  }

  #hostileQuery({ query }: Operation): [string, string][] {
    const draw = this.#draw;
    if (draw.chance(0.03)) return Array.from({ length: 2000 }, (_, index) => [`p${index}`, ""]);
    return Array.from({ length: draw.number(1, 3) }, () => {
      const name = query.length > 0 && draw.chance(0.8) ? draw.pick(query).name : hostileName(draw);
      return [name + draw.pick(["", "", "", "", "[]", "[$ne]", "[__proto__]"]), hostileText(draw)];
    });
  }

  /** Percent-encodes like a client; for odd paths sometimes not at all, twice or wrongly. */
  #escape(kind: Kind, text: string): string {
    const encoded = encodeURIComponent(text);
    if (kind !== "path" && kind !== "query") return encoded;
    return this.#draw.pick([
      encoded,
      encoded,
      encodeURIComponent(encoded),
      text.replace(/[^\x21-\x7e]|[?#&]/g, "") || "%",
      `${encoded}%zz`,
      encoded.replaceAll("%", "%c0%"),
    ]);
  }

  #write(
    method: string,
    target: string,
    headers: readonly (readonly [string, string])[],
    body: string | undefined,
  ): Buffer {
    const draw = this.#draw;
    const lines = [
      `${method} ${target} HTTP/1.1`,
      ...(headers.some(([name]) => name === "Host") ? [] : ["Host: fuzz"]),
    ];
    lines.push(...headers.map(([name, value]) => `${name}: ${value}`));
    if (body === undefined) return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
    if (draw.chance(0.1)) {
      const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
      return Buffer.from(
        `${lines.join("\r\n")}\r\nTransfer-Encoding: chunked\r\n\r\n${body ? chunk : ""}0\r\n\r\n`,
        "latin1",
      );
    }
    return Buffer.from(`${lines.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n${body}`, "latin1");
  }
}

/** Whether an operation ends the only session, which later requests need. */
const endsSession = ({ path, method }: Operation) =>
  path === "/v1/auth/signout" || (method === "DELETE" && path.startsWith("/v1/auth/"));

/** Replaces or removes one place of the value, or adds a key next to it. */
function spoil(draw: Draw, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && draw.chance(0.8)) {
    const at = draw.number(0, value.length - 1);
    return value.map((item, index) => (index === at ? spoil(draw, item) : item));
  }
  if (typeof value === "string" && draw.chance(0.3)) return inserted(draw, value);
  if (typeof value !== "object" || value === null || draw.chance(0.15)) return hostileValue(draw);
  const entries = Object.entries(value);
  if (entries.length === 0 || draw.chance(0.2)) return { ...value, [hostileName(draw)]: hostileValue(draw) };
  const at = draw.number(0, entries.length - 1);
  if (draw.chance(0.15)) return Object.fromEntries(entries.toSpliced(at, 1));
  return Object.fromEntries(entries.map(([name, field], index) => [name, index === at ? spoil(draw, field) : field]));
}

/** A text that is valid except in one place. */
function inserted(draw: Draw, text: string): string {
  const at = draw.number(0, text.length);
  const odd = draw.pick(["\0", "\n", "\r\n", "'", '"', "\\", "%", ".", " ", "\u202e", "\ufeff", "\u{10ffff}", "é"]);
  return text.slice(0, at) + odd + text.slice(at);
}

/** Cuts or damages the text, or wraps it in something else. */
function spoilText(draw: Draw, text: string): string {
  const at = draw.number(0, text.length);
  switch (draw.number(0, 8)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return `\xef\xbb\xbf${text}`;
    case 2:
      return text.slice(0, at) + String.fromCharCode(draw.number(0, 255)) + text.slice(at + 1);
    case 3:
      return text + draw.pick(["}", "]", ",", "\0", text, "//", "\xff"]);
    case 4:
      return draw.pick([
        "",
        " ",
        "null",
        "[]",
        "1",
        '"x"',
        "tru",
        "{",
        "[[",
        "\0",
        "<xml/>",
        "a=1&b=2",
        "\x1f\x8b\x08\0\0\0\0",
      ]);
    case 5:
      return Buffer.from(text, "utf16le").toString("latin1");
    case 6:
      return text.replaceAll('"', "'");
    case 7:
      return `{"a":${text},"a":${text}}`;
    default:
      return text.slice(0, at) + text.slice(draw.number(0, text.length));
  }
}

const printBody = (body: unknown, isFile: boolean) =>
  isFile && typeof body === "string" ? Buffer.from(body).toString("latin1") : print(body);

/** JSON with one character per octet, in which `Raw` is inserted verbatim. */
function print(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(print).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([name, field]) => `${print(name)}:${print(field)}`)
      .join(",")}}`;
  }
  return Buffer.from(JSON.stringify(value) ?? "null").toString("latin1");
}
