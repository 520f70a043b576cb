/** Keys and partners of zones with their secrets sealed with the master key, as the store and an edge's disk have them. */
import { tsigAlgorithmNamed } from "../dns/tsig/algorithms.ts";
import type { Log } from "../lib/log.ts";
import type { Secrets } from "../lib/secrets.ts";
import type { ServedNetworks } from "./change.ts";
import {
  type Incoming,
  notifiersOf,
  type Outgoing,
  type PeerKey,
  type Peers,
  type PrimarySettings,
  type SecondarySettings,
  tsigKeyContext,
  zoneKeyContext,
} from "./peers.ts";

/** Keys and partners of zones as a store keeps them. */
export interface SealedPeers {
  readonly keys: readonly KeyRow[];
  readonly zones: readonly ZoneRow[];
}

interface KeyRow {
  readonly account_id: string;
  readonly name: string;
  readonly algorithm: string;
  readonly secret: string;
}

interface ZoneRow {
  readonly account_id: string;
  readonly id: string;
  readonly zone: string;
  readonly networks: readonly number[];
  readonly primary: PrimarySettings;
  readonly secondary: SecondarySettings | null;
  readonly secondary_key: string | null;
}

export interface OpenOptions {
  readonly log: Log;
  /** Returns the kit that opens secrets; undefined until the first start of the service has made the master key. */
  readonly secrets: () => Secrets | undefined;
  /** Networks whose zones are transferred to other servers; all when left out. */
  readonly networks?: ServedNetworks;
}

/** Opens keys and partners; a key that cannot be opened is left out, and the log says so. */
export function openPeers({ keys, zones }: SealedPeers, { log, secrets, networks = "all" }: OpenOptions): Peers {
  const kit = secrets();
  const open = (key: KeyRow, context: string): PeerKey | undefined => {
    const algorithm = tsigAlgorithmNamed(key.algorithm);
    if (!kit || !algorithm) return undefined;
    try {
      const secret = new Uint8Array(Buffer.from(kit.open(key.secret, context), "base64"));
      return { account_id: key.account_id, name: key.name, algorithm, secret };
    } catch (error) {
      log.error({ key: key.name, reason: String(error) }, "a TSIG key cannot be opened");
      return undefined;
    }
  };
  const known = keys.flatMap((key) => open(key, tsigKeyContext(key.account_id, key.name)) ?? []);
  if (known.length < keys.length) {
    log.warn({ keys: keys.length - known.length }, "TSIG keys cannot be used: is this the store's master key file?");
  }
  return {
    keys: known,
    outgoing: zones.flatMap((zone) => (zone.primary.enabled ? outgoingOf(zone, networks) : [])),
    incoming: zones.flatMap((zone) => (zone.secondary ? incomingOf(zone, zone.secondary, open) : [])),
  };
}

/** The servers to which edges of the `served` networks transfer a zone; none when the zone is on none of these networks. */
function outgoingOf({ account_id, id, zone, networks, primary }: ZoneRow, served: ServedNetworks): Outgoing[] {
  const areServed = (ids: readonly number[]) => ids.some((id) => served === "all" || served.includes(id));
  const secondaries = primary.secondaries.filter((each) => each.networks.length === 0 || areServed(each.networks));
  const allowed = secondaries.map(({ ip, tsig_key, tls_only }) => ({
    ip,
    ...(tsig_key ? { tsig_key } : {}),
    ...(tls_only ? { tls_only } : {}),
  }));
  return areServed(networks) ? [{ account_id, zone_id: id, zone, allowed }] : [];
}

function incomingOf(
  { account_id, id, zone, secondary_key }: ZoneRow,
  secondary: SecondarySettings,
  open: (key: KeyRow, context: string) => PeerKey | undefined,
): Incoming {
  const { tsig } = secondary;
  const sealed = tsig?.enabled && secondary_key !== null ? secondary_key : undefined;
  const row = tsig && sealed !== undefined && { account_id, name: tsig.name, algorithm: tsig.hash, secret: sealed };
  const key = row ? open(row, zoneKeyContext(id)) : undefined;
  return {
    account_id,
    zone_id: id,
    zone,
    addresses: notifiersOf(secondary),
    ...(key ? { key } : {}),
    mustSign: Boolean(tsig?.enabled && tsig.signed_notifies),
  };
}
