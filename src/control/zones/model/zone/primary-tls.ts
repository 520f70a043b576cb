/** The field `secondary.tls`: transfers from a primary over TLS (RFC 9103), and the primary's authentication (RFC 8310). Pure. */
import { X509Certificate } from "node:crypto";
import { invalid, invalidField } from "../../../../lib/problem.ts";
import type { TlsSettings } from "../../../../sync/peers.ts";
import { type Fields, readFlag, readHostName, readList } from "./values.ts";

const own = "secondary.tls";
const mostCa = 65_536;

/** Reads the TLS settings; undefined for zones transferred over TCP. Omitted fields keep their value. */
export function readTls(value: unknown, before: TlsSettings | undefined): TlsSettings | undefined {
  if (value === undefined) return before;
  if (value === null || (typeof value === "object" && Object.keys(value).length === 0)) return undefined;
  if (typeof value !== "object") throw invalidField(own, "must be an object");
  const body = value as Fields;
  if (!readFlag(body["enabled"] ?? true, `${own}.enabled`)) return undefined;
  const setting = (field: keyof TlsSettings) => (body[field] === undefined ? before?.[field] : body[field]);
  const [profile, name, ca] = [
    setting("profile") ?? "strict",
    setting("auth_domain_name") ?? null,
    setting("ca") ?? null,
  ];
  if (profile !== "strict" && profile !== "opportunistic") {
    throw invalidField(`${own}.profile`, "must be strict or opportunistic");
  }
  const [others, pins] = [setting("other_auth_domain_names") ?? [], setting("spki_pins") ?? []];
  const settings = {
    enabled: true,
    profile,
    auth_domain_name: name === null ? null : readHostName(name, `${own}.auth_domain_name`),
    other_auth_domain_names: readList(others, `${own}.other_auth_domain_names`).map((other) =>
      readHostName(other, `${own}.other_auth_domain_names`),
    ),
    spki_pins: readList(pins, `${own}.spki_pins`).map(readPin),
    ca: ca === null ? null : readAuthorities(ca),
  } as const;
  assertAuthenticated(settings);
  return settings;
}

/** Throws for settings that do not authenticate the server, unless the profile is opportunistic. */
function assertAuthenticated({ profile, auth_domain_name, spki_pins, ...rest }: TlsSettings): void {
  const { ca, other_auth_domain_names } = rest;
  if (auth_domain_name === null && (ca !== null || other_auth_domain_names.length > 0)) {
    const field = `${own}.auth_domain_name`;
    throw invalidField(field, "is required with ca or other_auth_domain_names");
  }
  if (profile === "opportunistic" || auth_domain_name !== null || spki_pins.length > 0) return;
  const message = `${own}: profile strict requires auth_domain_name or spki_pins; opportunistic accepts any server`;
  throw invalid(message, { field: own });
}

function readPin(value: unknown): string {
  const field = `${own}.spki_pins`;
  const octets = typeof value === "string" ? Buffer.from(value, "base64") : Buffer.alloc(0);
  if (octets.length === 32 && octets.toString("base64") === value) return value;
  throw invalidField(field, `${JSON.stringify(value ?? null)} is not a SHA-256 in base64`);
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function readAuthorities(value: unknown): string {
  const field = `${own}.ca`;
  const found = typeof value === "string" && value.length <= mostCa ? value.match(certificate) : null;
  if (typeof value !== "string" || !found) {
    throw invalidField(field, `must be PEM certificates of at most ${mostCa} characters`);
  }
  try {
    for (const pem of found) new X509Certificate(pem);
  } catch {
    throw invalidField(field, "contains an invalid certificate");
  }
  return value;
}
