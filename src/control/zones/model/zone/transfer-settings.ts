/** The fields `primary` and `secondary` of a zone's body. Pure. */
import { scanIp, scanPrefix } from "../../../../lib/address/ip.ts";
import { invalidField } from "../../../../lib/problem.ts";
import type { PrimarySettings, SecondarySettings } from "../../../../sync/peers.ts";
import { readAlgorithm, readKeyName, readSecret } from "../../tsig/key.ts";
import { readTls } from "./primary-tls.ts";
import { type Fields, readFlag, readList, readText } from "./values.ts";

const ports = { dns: 53, tls: 853 } as const;

export const noSecondaries: PrimarySettings = { enabled: false, secondaries: [] };

/** Reads the secondaries that may transfer the zone. A body of null removes the earlier settings. */
export function readPrimary(body: Fields | null | undefined, before: PrimarySettings = noSecondaries): PrimarySettings {
  if (body === undefined) return before;
  if (body === null) return noSecondaries;
  const enabled = body["enabled"] === undefined ? before.enabled : readFlag(body["enabled"], "primary.enabled");
  const listed = body["secondaries"];
  if (listed === undefined || listed === null)
    return { enabled, secondaries: listed === null ? [] : before.secondaries };
  const secondaries = readList(listed, "primary.secondaries").map(readServer);
  return { enabled, secondaries };
}

/** The most fields of a secondary that are kept and not used, and the most octets of them as JSON. */
const mostKept = { fields: 16, octets: 1024 } as const;

function readServer(value: unknown, i: number): PrimarySettings["secondaries"][number] {
  const field = `primary.secondaries[${i}]`;
  if (typeof value !== "object" || value === null) throw invalidField(field, "must be an object");
  const { ip, port, notify, networks, tsig_key, tls_only, ...kept } = value as Fields;
  if (Object.keys(kept).length > mostKept.fields || Buffer.byteLength(JSON.stringify(kept)) > mostKept.octets) {
    const bound = `at most ${mostKept.fields} fields that are not known, and ${mostKept.octets} octets of them`;
    throw invalidField(field, bound);
  }
  if (typeof ip !== "string" || !scanPrefix(ip)) {
    throw invalidField(`${field}.ip`, `${JSON.stringify(ip)} is not an IP address or prefix`);
  }
  const notifies = notify === undefined || notify === null ? false : readFlag(notify, `${field}.notify`);
  if (notifies && !scanIp(ip)) throw invalidField(`${field}.notify`, "a prefix cannot be notified, only an address");
  if (tsig_key !== undefined && tsig_key !== null && typeof tsig_key !== "string") {
    throw invalidField(`${field}.tsig_key`, "must be the name of a TSIG key");
  }
  return {
    ip,
    port: readPort(port, ports.dns, `${field}.port`),
    notify: notifies,
    networks: readNumbers(networks, `${field}.networks`),
    ...(tsig_key ? { tsig_key: readKeyName(tsig_key, `${field}.tsig_key`) } : {}),
    ...(readFlag(tls_only ?? false, `${field}.tls_only`) ? { tls_only: true } : {}),
    ...(Object.keys(kept).length > 0 ? { kept } : {}),
  };
}

export interface ReadSecondary {
  readonly settings: SecondarySettings;
  /** Base64; undefined to keep the stored secret. */
  readonly secret: string | undefined;
}

/** Reads the primaries of a secondary zone: undefined when the body omits them, null when the zone is not secondary. */
export function readSecondary(
  body: Fields | null | undefined,
  before: SecondarySettings | null,
): ReadSecondary | null | undefined {
  if (body === undefined) return undefined;
  if (body === null || body["enabled"] === false || (!before && !body["enabled"])) {
    assertNoKey(body?.["tsig"]);
    return null;
  }
  if (body["enabled"] !== undefined) readFlag(body["enabled"], "secondary.enabled");
  const primary_ip = body["primary_ip"] ?? before?.primary_ip;
  const other_ips =
    body["other_ips"] === undefined
      ? (before?.other_ips ?? [])
      : readList(body["other_ips"] ?? [], "secondary.other_ips");
  const tls = readTls(body["tls"], before?.tls);
  const usual = tls ? ports.tls : ports.dns;
  // ports are not kept when TLS is switched on or off: no server has both on one port
  const old = tls?.enabled === before?.tls?.enabled ? before : undefined;
  const other_ports =
    body["other_ports"] === undefined
      ? (old?.other_ports ?? [])
      : readPorts(body["other_ports"], usual, "secondary.other_ports");
  const { tsig, secret } = readTsig(body["tsig"], before);
  const notifyOnly = listAfter(body["other_notify_only"], before?.other_notify_only, "other_notify_only", readFlag);
  const networks = listAfter(body["other_networks"], before?.other_networks, "other_networks", readNumber);
  const network = body["primary_network"] === undefined ? before?.primary_network : body["primary_network"];
  return {
    settings: {
      enabled: true,
      primary_ip: readAddress(primary_ip, "secondary.primary_ip"),
      primary_port: readPort(body["primary_port"] ?? old?.primary_port, usual, "secondary.primary_port"),
      other_ips: other_ips.map((ip, i) => readOther(ip, notifyOnly?.[i] === true)),
      other_ports,
      ...(notifyOnly ? { other_notify_only: notifyOnly } : {}),
      ...(networks ? { other_networks: networks } : {}),
      ...(network == null ? {} : { primary_network: readNumber(network, "secondary.primary_network") }),
      ...(tls ? { tls } : {}),
      tsig,
    },
    secret,
  };
}

/** Throws for a key on a zone that is not secondary. Empty objects pass, because clients send back what they read. */
function assertNoKey(tsig: unknown): void {
  if (typeof tsig === "object" && tsig !== null && "enabled" in tsig && tsig.enabled) {
    throw invalidField("secondary.tsig", "the zone is not secondary");
  }
}

function readTsig(value: unknown, before: SecondarySettings | null) {
  if (value === undefined) return { tsig: before?.tsig ?? null, secret: undefined };
  if (value === null || (typeof value === "object" && Object.keys(value).length === 0))
    return { tsig: null, secret: undefined };
  const field = "secondary.tsig";
  if (typeof value !== "object") throw invalidField(field, "must be an object");
  const { enabled, hash, name, key, signed_notifies } = value as Fields;
  const isOn = enabled === undefined ? true : readFlag(enabled, `${field}.enabled`);
  if (!isOn) return { tsig: null, secret: undefined };
  const old = before?.tsig;
  const tsig = {
    enabled: true,
    hash: hash === undefined && old ? old.hash : readAlgorithm(readText(hash, `${field}.hash`), `${field}.hash`),
    name: name === undefined && old ? old.name : readKeyName(readText(name, `${field}.name`), `${field}.name`),
    signed_notifies: signed_notifies === undefined ? (old?.signed_notifies ?? false) : signed_notifies === true,
  };
  const keeps = (key === undefined || key === null || key === "") && old !== null && old !== undefined;
  return { tsig, secret: keeps ? undefined : readSecret(readText(key, `${field}.key`), `${field}.key`) };
}

function readAddress(value: unknown, field: string): string {
  if (value === undefined || value === null) throw invalidField(field, "is required");
  if (typeof value === "string" && scanIp(value)) return value;
  throw invalidField(field, `${JSON.stringify(value)} is not an IP address`);
}

/** Reads another server of the zone. One that only sends NOTIFY may be a prefix. */
function readOther(value: unknown, isNotifier: boolean): string {
  if (isNotifier && typeof value === "string" && scanPrefix(value)) return value;
  return readAddress(value, "secondary.other_ips");
}

/** A list after a body; undefined when nobody set it. */
function listAfter<T>(
  sent: unknown,
  before: readonly T[] | undefined,
  name: string,
  read: (value: unknown, field: string) => T,
): readonly T[] | undefined {
  const field = `secondary.${name}`;
  if (sent === undefined) return before;
  return sent === null ? undefined : readList(sent, field).map((value) => read(value, field));
}

function readPort(value: unknown, otherwise: number, field: string): number {
  const port = value ?? otherwise;
  if (typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw invalidField(field, "must be a port, from 1 to 65535");
}

const readPorts = (value: unknown, otherwise: number, field: string) =>
  readList(value ?? [], field).map((port) => readPort(port, otherwise, field));

const readNumbers = (value: unknown, field: string): number[] =>
  readList(value ?? [], field).map((each) => readNumber(each, field));

function readNumber(value: unknown, field: string): number {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw invalidField(field, "must be network ids");
}
