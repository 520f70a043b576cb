/** What an edge knows of the servers that zones are exchanged with: keys, who may transfer, and who may notify. */
import type { TsigAlgorithm } from "../dns/tsig/algorithms.ts";

/** Where control says that something of it has changed. */
export const peersChannel = "fairlead_peers";

/** Where an edge says that a primary has notified of a zone. */
export const refreshChannel = "fairlead_refresh";

export interface PeerKey {
  readonly account_id: string;
  /** Lower case, no final dot. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

/** Who may transfer a zone from us. */
export interface Outgoing {
  readonly account_id: string;
  readonly zone_id: string;
  /** In the API's spelling. */
  readonly zone: string;
  readonly allowed: readonly {
    /** Address or prefix. */
    readonly ip: string;
    /** Name of the key that must sign; any or none without it. */
    readonly tsig_key?: string;
  }[];
}

/** Who may tell us that a zone has changed that we transfer from them. */
export interface Incoming {
  readonly account_id: string;
  readonly zone_id: string;
  readonly zone: string;
  readonly addresses: readonly string[];
  /** The key of the zone's transfers. */
  readonly key?: PeerKey;
  /** Whether what is not signed does not count. */
  readonly mustSign: boolean;
}

export interface Peers {
  readonly keys: readonly PeerKey[];
  readonly outgoing: readonly Outgoing[];
  readonly incoming: readonly Incoming[];
}

export const noPeers: Peers = { keys: [], outgoing: [], incoming: [] };

/** What the settings of a zone that is served to others say; the control plane checks them where they are written. */
export interface PrimarySettings {
  readonly enabled: boolean;
  readonly secondaries: readonly {
    /** Address; or prefix, which grants transfers only. */
    readonly ip: string;
    readonly port: number;
    readonly notify: boolean;
    /** Kept for clients that send it; nothing depends on it. */
    readonly networks: readonly number[];
    readonly tsig_key?: string;
  }[];
}

/** What the settings of a zone that is transferred from others say. */
export interface SecondarySettings {
  readonly enabled: true;
  readonly primary_ip: string;
  readonly primary_port: number;
  readonly other_ips: readonly string[];
  readonly other_ports: readonly number[];
  /** Its secret stands apart, sealed. */
  readonly tsig: {
    readonly enabled: boolean;
    readonly hash: string;
    readonly name: string;
    readonly signed_notifies: boolean;
  } | null;
}

/** The servers that a zone is transferred from, in the order in which they are asked. */
export const primariesOf = ({ primary_ip, primary_port, other_ips, other_ports }: SecondarySettings) => [
  { address: primary_ip, port: primary_port },
  ...other_ips.map((address, i) => ({ address, port: other_ports[i] ?? primary_port })),
];

/** What the envelope of the key of a zone's transfers is bound to. */
export const zoneKeyContext = (zone_id: string) => `zone.secondary_key:${zone_id}`;

/** What the envelope of a key of its own is bound to. */
export const tsigKeyContext = (account_id: string, name: string) => `tsig_key.secret:${account_id}:${name}`;
