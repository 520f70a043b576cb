/** Schemas of a zone: its body and its replies. The order of fields is part of the API. */
import { type Static, Type } from "typebox";
import {
  anyObject,
  dnsSeconds,
  fieldsNamed,
  keepsOthers,
  maybe,
  names,
  nullable,
  objectWith,
} from "../../../kit/schema.ts";
import { Record, RecordSummary } from "../record/schema.ts";

const head = {
  nx_ttl: Type.Integer(),
  retry: Type.Integer(),
  zone: Type.String({ description: "FQDN, lower case, no final dot." }),
  dnssec: Type.Boolean(),
  network_pools: names("Pools of the zone's name servers."),
  primary: anyObject("The secondaries that may transfer the zone."),
  refresh: Type.Integer(),
  expiry: Type.Integer(),
  dns_servers: names("The zone's name servers."),
};

const tail = {
  meta: anyObject("Metadata, stored and returned."),
  link: nullable(Type.String({ description: "The zone whose records this zone serves." })),
  serial: Type.Integer({ description: "Increases a few milliseconds after the reply to a change." }),
  ttl: Type.Integer({ description: "TTL of the SOA record." }),
  id: Type.String(),
  hostmaster: Type.String(),
  networks: Type.Array(Type.Integer()),
  pool: nullable(Type.String()),
  disabled: Type.Boolean({ description: "Whether queries for the zone are answered REFUSED." }),
  primary_master: Type.String({ description: "First field of the SOA record." }),
  secondary: nullable(anyObject("The primaries that the zone is transferred from.")),
  catalog: nullable(anyObject("The zone's role in catalog zones.")),
  tags: anyObject("Tags and their values."),
  local_tags: names("Names of the tags set on the zone itself."),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
};

/** A zone without its records, as in listings. */
export const ZoneOnly = Type.Object({ ...head, ...tail }, { $id: "ZoneOnly" });
export type ZoneOnly = Static<typeof ZoneOnly>;

/** A zone with a page of its records: summaries, or full records on request. */
export const Zone = Type.Object(
  {
    ...head,
    records: Type.Optional(Type.Array(Type.Union([RecordSummary, Record]))),
    ...tail,
  },
  { $id: "Zone" },
);
export type Zone = Static<typeof Zone>;

const Primary = objectWith(
  {
    ...fieldsNamed("enabled"),
    secondaries: {
      items: {
        properties: fieldsNamed("ip", "port", "notify", "networks", "tsig_key", "tls_only"),
        ...keepsOthers,
      },
    },
  },
  "The secondaries that may transfer the zone.",
);
export const Secondary = objectWith(
  {
    ...fieldsNamed("enabled", "primary_ip", "primary_port", "primary_network"),
    ...fieldsNamed("other_ips", "other_ports", "other_networks", "other_notify_only"),
    tsig: { properties: fieldsNamed("enabled", "hash", "name", "key", "signed_notifies") },
    tls: {
      properties: fieldsNamed(
        ...["enabled", "profile", "auth_domain_name", "other_auth_domain_names", "spki_pins", "ca"],
      ),
    },
  },
  "The primaries to transfer the zone from.",
);
const Catalog = objectWith(fieldsNamed("role", "of", "groups", "coo"), "The zone's role in catalog zones.");

/** Body of PUT and POST. Other fields, such as those that only replies contain, are ignored. */
export const ZoneBody = Type.Object(
  {
    zone: maybe(Type.String({ description: "FQDN; cannot be changed." })),
    name: maybe(Type.String({ description: "Only in edition ddi." })),
    views: Type.Optional(Type.Unsafe<unknown>({ description: "Only in edition ddi." })),
    ttl: maybe(dnsSeconds("TTL of the SOA record; 3600 when left out.")),
    refresh: maybe(dnsSeconds("SOA refresh; 43200 when left out.")),
    retry: maybe(dnsSeconds("SOA retry; 7200 when left out.")),
    expiry: maybe(dnsSeconds("SOA expire; 1209600 when left out.")),
    nx_ttl: maybe(dnsSeconds("SOA minimum, and the TTL of records without one; 3600 when left out.")),
    hostmaster: maybe(Type.String({ description: "Mailbox of the SOA record; hostmaster@ZONE when left out." })),
    primary_master: maybe(
      Type.String({ description: "First field of the SOA record; the first name server when left out." }),
    ),
    networks: maybe(Type.Array(Type.Integer(), { description: "Network ids; [0] when left out." })),
    disabled: maybe(Type.Boolean({ description: "Answer REFUSED for the zone." })),
    meta: maybe(anyObject("Metadata.")),
    link: maybe(
      Type.String({
        description:
          "A zone of the account whose records this zone serves. Only for a new zone, without other settings.",
      }),
    ),
    dnssec: maybe(Type.Boolean({ description: "Sign the zone." })),
    primary: maybe(Primary),
    secondary: maybe(Secondary),
    catalog: maybe(Catalog),
    tags: maybe(anyObject("Tags and their values.")),
    local_tags: maybe(names("Names of the tags set on the zone itself.")),
  },
  { $id: "ZoneBody", examples: [{ zone: "example.com", ttl: 3600, hostmaster: "hostmaster@example.com" }] },
);
export type ZoneBody = Static<typeof ZoneBody>;
