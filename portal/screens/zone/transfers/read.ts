/** The parts of a zone that exchange it with other servers: the API's document leaves their shape open. */
import { isObject } from "../../../api/is-object.ts";
import type { Zone } from "../../../api/types.ts";

export interface Target {
  readonly [name: string]: unknown;
  readonly ip: string;
  readonly port: number;
  readonly notify: boolean;
  readonly tsig_key: string | null;
  readonly tls_only: boolean;
}

/** The servers that get the zone; fields that this page does not know stay. */
export function targetsOf({ primary }: Zone): Target[] {
  const { secondaries } = primary;
  return (Array.isArray(secondaries) ? secondaries.filter(isObject) : []).map((entry) => ({
    ...entry,
    ip: textOf(entry["ip"]),
    port: numberOf(entry["port"]) ?? 53,
    notify: entry["notify"] === true,
    tsig_key: typeof entry["tsig_key"] === "string" ? entry["tsig_key"] : null,
    tls_only: entry["tls_only"] === true,
  }));
}

export interface Source {
  readonly isOn: boolean;
  readonly ip: string;
  readonly port: string;
  /** A line each. */
  readonly others: string;
  readonly isSigned: boolean;
  readonly tsigName: string;
  readonly tsigHash: string;
  readonly isTls: boolean;
  readonly tlsName: string;
}

/** The server that the zone comes from, as the form has it. */
export function sourceOf({ secondary }: Zone): Source {
  const { other_ips, other_ports, tsig, tls, ...rest } = secondary ?? {};
  const ips = Array.isArray(other_ips) ? other_ips : [];
  const ports = Array.isArray(other_ports) ? other_ports : [];
  const others = ips.map((ip, at) => (ports[at] === undefined || ports[at] === 53 ? ip : `${ip} ${ports[at]}`));
  const signed = isObject(tsig) ? tsig : {};
  const secured = isObject(tls) ? tls : {};
  return {
    isOn: rest["enabled"] === true,
    ip: textOf(rest["primary_ip"]),
    port: rest["primary_port"] === undefined ? "" : String(rest["primary_port"]),
    others: others.join("\n"),
    isSigned: signed["enabled"] === true,
    tsigName: textOf(signed["name"]),
    tsigHash: textOf(signed["hash"]) || "hmac-sha256",
    isTls: secured["enabled"] === true,
    tlsName: textOf(secured["auth_domain_name"]),
  };
}

export interface SourceStatus {
  readonly status: string;
  readonly error: string | null;
  readonly lastTry: number;
  readonly lastNews: number;
  readonly expiresAt: number;
  readonly isExpired: boolean;
}

export function statusOf({ secondary }: Zone): SourceStatus {
  const known = secondary ?? {};
  return {
    status: textOf(known["status"]),
    error: typeof known["error"] === "string" ? known["error"] : null,
    lastTry: numberOf(known["last_try"]) ?? 0,
    lastNews: numberOf(known["last_xfr"]) ?? 0,
    expiresAt: numberOf(known["expires_at"]) ?? 0,
    isExpired: known["expired"] === true,
  };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const numberOf = (value: unknown) => (typeof value === "number" ? value : undefined);

/** The settings for the API; fields of `before` that the form does not show stay. */
export function secondaryOf(values: Source, secret: string, before: Zone["secondary"]): { [name: string]: unknown } {
  const others = values.others.split("\n").flatMap((line) => {
    const [ip, port] = line.trim().split(/[\s,]+/);
    return ip ? [{ ip, port: port === undefined ? 53 : Number(port) }] : [];
  });
  const tsig = isObject(before?.["tsig"]) ? before["tsig"] : {};
  const tls = isObject(before?.["tls"]) ? before["tls"] : {};
  const { isSigned, isTls } = values;
  const signed = { ...tsig, enabled: true, name: values.tsigName, hash: values.tsigHash };
  const secured = { ...tls, enabled: true, ...(values.tlsName === "" ? {} : { auth_domain_name: values.tlsName }) };
  return {
    ...before,
    enabled: true,
    primary_ip: values.ip.trim(),
    primary_port: values.port.trim() === "" ? (isTls ? 853 : 53) : Number(values.port),
    other_ips: others.map(({ ip }) => ip),
    other_ports: others.map(({ port }) => port),
    tsig: isSigned ? { ...signed, ...(secret === "" ? {} : { key: secret }) } : null,
    tls: isTls ? secured : null,
  };
}
