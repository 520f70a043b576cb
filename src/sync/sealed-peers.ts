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

export interface KeyRow {
  readonly account_id: string;
  readonly name: string;
  readonly algorithm: string;
  readonly secret: string;
}

export interface ZoneRow {
  readonly account_id: string;
  readonly id: string;
  readonly zone: string;
  readonly networks: readonly number[];
  /** The same object for all zones that link to a zone. */
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

/** Secrets and lists that were opened before. Finding one again is far faster than opening it again. */
export class Opened {
  /** By context and sealed text. */
  readonly secrets = new Map<string, Uint8Array>();
  readonly lists = new WeakMap<PrimarySettings, Outgoing["allowed"]>();
}

/** The most secrets that are kept; beyond them, all are opened again. */
const mostOpened = 100_000;

/** Opens keys and partners; a key that cannot be opened is left out, and the log says so. */
export function openPeers(
  { keys, zones }: SealedPeers,
  { log, secrets, networks = "all" }: OpenOptions,
  opened: Opened,
): Peers {
  const kit = secrets();
  const open = (key: KeyRow, context: string): PeerKey | undefined => {
    const algorithm = tsigAlgorithmNamed(key.algorithm);
    if (!kit || !algorithm) return undefined;
    try {
      const known = `${context} ${key.secret}`;
      const secret = opened.secrets.get(known) ?? new Uint8Array(Buffer.from(kit.open(key.secret, context), "base64"));
      if (opened.secrets.size >= mostOpened) opened.secrets.clear();
      opened.secrets.set(known, secret);
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
    outgoing: outgoingOfAll(zones, networks, opened.lists),
    incoming: zones.flatMap((zone) => (zone.secondary ? incomingOf(zone, zone.secondary, open) : [])),
  };
}

/**
 * The servers to which edges of the `served` networks transfer zones; none when a zone is on none of these networks. Zones
 * that link to the same zone share one list.
 */
function outgoingOfAll(zones: readonly ZoneRow[], served: ServedNetworks, lists: Opened["lists"]): Outgoing[] {
  const areServed = (ids: readonly number[]) => ids.some((id) => served === "all" || served.includes(id));
  const allowedBy = (primary: PrimarySettings) => {
    const known = lists.get(primary);
    if (known) return known;
    const secondaries = primary.secondaries.filter((each) => each.networks.length === 0 || areServed(each.networks));
    const allowed = secondaries.map(({ ip, tsig_key, tls_only }) => ({
      ip,
      ...(tsig_key ? { tsig_key } : {}),
      ...(tls_only ? { tls_only } : {}),
    }));
    lists.set(primary, allowed);
    return allowed;
  };
  return zones.flatMap(({ account_id, id, zone, networks, primary }) =>
    primary.enabled && areServed(networks) ? [{ account_id, zone_id: id, zone, allowed: allowedBy(primary) }] : [],
  );
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
