/** Keys and partners of zones: servers that may transfer a zone from us, and servers that may notify us. */
import type { TsigAlgorithm } from "../dns/tsig/algorithms.ts";

/** Channel on which control announces changes of keys and partners, with the id of the account. */
export const peersChannel = "fairlead_peers";

/** Channel on which an edge reports that it received NOTIFY from a zone's primary. */
export const refreshChannel = "fairlead_refresh";

export interface PeerKey {
  readonly account_id: string;
  /** Lower case, no final dot. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

/** The servers that may transfer a zone from us. */
export interface Outgoing {
  readonly account_id: string;
  /** For a linked zone the id of its target, whose records and secondaries apply. */
  readonly zone_id: string;
  /** In the API's spelling. */
  readonly zone: string;
  readonly allowed: readonly {
    /** Address or prefix. */
    readonly ip: string;
    /** Name of the key that must sign; when left out, any key or none. */
    readonly tsig_key?: string;
    /** Transfers only over TLS. */
    readonly tls_only?: boolean;
  }[];
}

/** The primaries of a zone that may notify us of changes. */
export interface Incoming {
  readonly account_id: string;
  readonly zone_id: string;
  readonly zone: string;
  readonly addresses: readonly string[];
  /** The key of the zone's transfers. */
  readonly key?: PeerKey;
  /** Whether NOTIFY must be signed. */
  readonly mustSign: boolean;
}

export interface Peers {
  readonly keys: readonly PeerKey[];
  readonly outgoing: readonly Outgoing[];
  readonly incoming: readonly Incoming[];
}

export const noPeers: Peers = { keys: [], outgoing: [], incoming: [] };

/** What became of some keys and partners. */
export interface PeersChange {
  /** The new and changed ones, as they are now. */
  readonly set: Peers;
  /** Those that are gone. */
  readonly gone: GonePeers;
}

export interface GonePeers {
  readonly keys: readonly Pick<PeerKey, "account_id" | "name">[];
  readonly outgoing: readonly Pick<Outgoing, "account_id" | "zone">[];
  readonly incoming: readonly Pick<Incoming, "account_id" | "zone">[];
}

/** Settings of a zone that is transferred to other servers; control checks them when they are written. */
export interface PrimarySettings {
  readonly enabled: boolean;
  readonly secondaries: readonly {
    /** Address; or prefix, which grants transfers only. */
    readonly ip: string;
    readonly port: number;
    readonly notify: boolean;
    /** Networks whose edges transfer the zone to this secondary; empty for all networks of the zone. */
    readonly networks: readonly number[];
    readonly tsig_key?: string;
    readonly tls_only?: boolean;
    /** Fields that clients sent and nothing uses. */
    readonly kept?: Readonly<Record<string, unknown>>;
  }[];
}

/** Transfers of a zone over TLS, and the authentication of its servers (RFC 8310). */
export interface TlsSettings {
  readonly enabled: true;
  /** Section 5: whether the servers are authenticated. */
  readonly profile: "strict" | "opportunistic";
  /** Host name in the servers' certificates; null where the pins are enough. */
  readonly auth_domain_name: string | null;
  /** Host names in the certificates of `other_ips`, in the same order. */
  readonly other_auth_domain_names: readonly string[];
  readonly spki_pins: readonly string[];
  /** PEM; null for the authorities of the system. */
  readonly ca: string | null;
}

/** Settings of a zone that is transferred from other servers. */
export interface SecondarySettings {
  readonly enabled: true;
  readonly primary_ip: string;
  readonly primary_port: number;
  readonly other_ips: readonly string[];
  readonly other_ports: readonly number[];
  /** At the same positions as `other_ips`: these servers only send NOTIFY, and may be prefixes. */
  readonly other_notify_only?: readonly boolean[];
  /** Shown as they were sent; transfers do not use them. */
  readonly other_networks?: readonly number[];
  readonly primary_network?: number;
  /** When left out, transfers use UDP and TCP. */
  readonly tls?: TlsSettings;
  /** The secret is stored separately, sealed. */
  readonly tsig: {
    readonly enabled: boolean;
    readonly hash: string;
    readonly name: string;
    readonly signed_notifies: boolean;
  } | null;
}

export type PrimaryServer = ReturnType<typeof primariesOf>[number];

/** The servers that a zone is transferred from, in the order in which they are asked. */
export const primariesOf = (settings: SecondarySettings) => {
  const { primary_ip, primary_port, other_ips, other_ports, other_notify_only, tls } = settings;
  const others = other_ips.map((address, i) => ({
    address,
    port: other_ports[i] ?? primary_port,
    name: tls?.other_auth_domain_names[i] ?? tls?.auth_domain_name,
  }));
  return [
    { address: primary_ip, port: primary_port, name: tls?.auth_domain_name },
    ...others.filter((_, i) => other_notify_only?.[i] !== true),
  ];
};

/** The addresses and prefixes that may send NOTIFY for a zone. */
export const notifiersOf = ({ primary_ip, other_ips }: SecondarySettings) => [primary_ip, ...other_ips];

/** Context of the sealed key of a zone's transfers. */
export const zoneKeyContext = (zone_id: string) => `zone.secondary_key:${zone_id}`;

/** Context of a sealed TSIG key. */
export const tsigKeyContext = (account_id: string, name: string) => `tsig_key.secret:${account_id}:${name}`;
