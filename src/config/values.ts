/** Parsers of configuration values. Each throws a Problem that names the expected form. */
import { isIP } from "node:net";
import { resolve } from "node:path";
import type { Endpoint } from "../lib/address/egress.ts";
import { scanPrefix } from "../lib/address/ip.ts";
import { invalid } from "../lib/problem.ts";
import { mailAddress, type SmtpServer } from "../lib/text/email.ts";

export const printEndpoint = ({ address, port }: Endpoint) =>
  address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;

/** The endpoint for a client on this machine: loopback in place of a wildcard address. */
export function reachable({ address, port }: Endpoint): Endpoint {
  if (address === "0.0.0.0") return { address: "127.0.0.1", port };
  return { address: address === "::" ? "::1" : address, port };
}

/** A name or number of a user. */
export function userName(text: string): string {
  if (!/^[\w.][\w.@-]*\$?$/.test(text)) throw invalid(`"${text}" is not the name of a user`);
  return text;
}

/** The name of a network interface (ip-link(8)). */
export function interfaceName(text: string): string {
  if (!/^[^\s/]{1,15}$/.test(text)) throw invalid(`"${text}" is not the name of an interface, such as eth0`);
  return text;
}

function filled(text: string): string {
  if (text.trim() === "") throw invalid("must not be empty");
  return text;
}

/** Returns an absolute path. */
export const path = (text: string) => resolve(filled(text));

export function endpoint(text: string): Endpoint {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const address = bracketed ?? plain;
  if (address === undefined || isIP(address) === 0 || Number(port) < 1 || Number(port) > 65535) {
    throw invalid(`"${text}" is not ADDRESS:PORT, such as 127.0.0.1:5300 or [::1]:5300`);
  }
  return { address, port: Number(port) };
}

/** An address, with or without a port, in the form that Node's resolver takes. */
export function resolverAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  const { address, port } = endpoint(text);
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The target of the query log. */
export interface DnstapTarget {
  readonly kind: "file" | "socket";
  readonly path: string;
}

export function dnstapTarget(text: string): DnstapTarget {
  const socket = /^unix:(.*)$/.exec(text)?.[1];
  return socket === undefined ? { kind: "file", path: path(text) } : { kind: "socket", path: path(socket) };
}

export function databaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw invalid("must begin with postgres:// or postgresql://");
  return text;
}

/** Removes slashes at the end. */
export function publicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw invalid("must be a URL such as https://dns.example.net, without user, ? and #");
  }
  return url.href.replace(/\/+$/, "");
}

/** Errors do not repeat the text, since it may contain a password. */
export function smtpServer(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const tls = url?.search ?? "";
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !/^\/?$/.test(url.pathname) || url.hash) {
    throw invalid(
      "must be smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before HOST if the server requires them",
    );
  }
  const secure = url.protocol === "smtps:";
  if (tls !== "" && (secure || tls !== "?tls=optional"))
    throw invalid("only ?tls=optional may follow smtp://HOST:PORT");
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    isTlsOptional: tls !== "",
    auth: url.username === "" ? undefined : { user: decoded(url.username), pass: decoded(url.password) },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("user and password must be percent-encoded");
  }
}

export function mailSender(text: string): string {
  const address = mailAddress(text);
  if (address === undefined) throw invalid(`"${text}" is not an e-mail address`);
  return address;
}

/** Returns lower case without a final dot. */
export function hostName(text: string): string {
  if (!/^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{1,63}\.?$/i.test(text))
    throw invalid(`"${text}" is not a host name`);
  return text.toLowerCase().replace(/\.$/, "");
}

/** A public suffix of two labels or more. Edition managed has no zones of one label; edition ddi allows all suffixes. */
export function publicSuffix(text: string): string {
  const name = text.toLowerCase().replace(/\.$/, "");
  if (!/[^.]\.[^.]/.test(name)) throw invalid(`"${text}" is not a suffix of two labels or more, such as co.uk`);
  return name;
}

export function apiKey(text: string): string {
  if (!/^[\x21-\x7e]{16,128}$/.test(text)) throw invalid("must be 16 to 128 visible ASCII characters");
  return text;
}

export function rateLimit(text: string): { limit: number; period: number } {
  const [, limit, period] = /^(\d{1,9})\/(\d{1,5})$/.exec(text) ?? [];
  if (Number(limit) < 1 || Number(period) < 1 || limit === undefined)
    throw invalid(`"${text}" is not N/SECONDS, such as 10000/1`);
  return { limit: Number(limit), period: Number(period) };
}

/** The share of deletions that needs no confirmation, and whether the guard also applies to single deletions by keys. */
export function deletionGuard(text: string): { percent: number; isSingle: boolean } {
  if (text === "off") return { percent: 100, isSingle: false };
  const [, percent, single] = /^(\d{1,3})(\/single)?$/.exec(text) ?? [];
  if (percent === undefined || Number(percent) > 100) {
    throw invalid(`"${text}" is not a whole number from 0 to 100, such as 30 or 30/single, nor off`);
  }
  return { percent: Number(percent), isSingle: single !== undefined };
}

/** Two times in seconds. */
export function transferTime(text: string): { message: number; transfer: number } {
  const [, message, transfer] = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(text) ?? [];
  if (message === undefined || Number(message) > Number(transfer))
    throw invalid(`"${text}" is not SECONDS/SECONDS, such as 10/3600`);
  return { message: Number(message), transfer: Number(transfer) };
}

export function cidr(text: string): string {
  if (!scanPrefix(text)) throw invalid(`"${text}" is not an address or a prefix, such as 10.0.0.0/8`);
  return text;
}

/** 16 octets in hexadecimal. */
export function cookieSecret(text: string): string {
  if (!/^[0-9a-f]{32}$/i.test(text)) throw invalid("must be 32 hexadecimal digits");
  return text.toLowerCase();
}

export function serverId(text: string): string {
  if (text === "" || Buffer.byteLength(text) > 64) throw invalid("must be 1 to 64 octets");
  return text;
}

export function choice<const T extends string>(...names: readonly T[]) {
  return (text: string): T => {
    const found = names.find((name) => name === text);
    if (found === undefined) throw invalid(`"${text}" is not one of ${names.join(", ")}`);
    return found;
  };
}

/** 0, or a whole number in the range. */
export const zeroOr = (least: number, most: number) => (text: string) =>
  text === "0" ? 0 : integer(least, most)(text);

export function integer(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw invalid(`"${text}" is not a whole number from ${least} to ${most}`);
    return value;
  };
}

/** `true` or `false`, also as 1 and 0. */
export function onOrOff(text: string): boolean {
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw invalid(`must be true or false, not "${text}"`);
}
