/** Keys and partners of zones, indexed for a worker. */

import type { Signature } from "../../dns/tsig/record.ts";
import { isOfKey, type TsigKey } from "../../dns/tsig/tsig.ts";
import { nameFromApi, nameToApi } from "../../dns/wire/name.ts";
import { contains, scanPrefix } from "../../lib/address/ip.ts";
import type { Client } from "../../net/socket/service.ts";
import type { Incoming, Outgoing, PeerKey, Peers, PeersChange } from "../../sync/peers.ts";

/** A key that may have signed a message. */
export interface KnownKey extends TsigKey {
  readonly account_id: string;
  /** The name in the API's spelling. */
  readonly text: string;
}

type Notifier = Incoming & { readonly known: KnownKey | undefined };

/** Addresses are read only for a client that asks: most partners never do, and changes must not delay answers. */
export class PeerBook {
  readonly #keys = new Map<string, KnownKey[]>();
  readonly #outgoing = new Map<string, Outgoing>();
  readonly #incoming = new Map<string, Notifier>();

  constructor(peers: Peers) {
    this.#set(peers);
  }

  /** Takes changes of keys and partners. */
  apply({ set, gone }: PeersChange): void {
    for (const { account_id, name } of gone.keys) this.#keep(name, account_id, []);
    for (const one of gone.outgoing) removeOwn(this.#outgoing, one);
    for (const one of gone.incoming) removeOwn(this.#incoming, one);
    this.#set(set);
  }

  #set({ keys, outgoing, incoming }: Peers): void {
    for (const key of keys) this.#keep(key.name, key.account_id, [knownKey(key)]);
    for (const one of outgoing) this.#outgoing.set(one.zone, one);
    for (const one of incoming) this.#incoming.set(one.zone, { ...one, known: one.key && knownKey(one.key) });
  }

  /** Puts an account's key in the place of its earlier one. */
  #keep(name: string, account_id: string, own: KnownKey[]): void {
    const others = (this.#keys.get(name) ?? []).filter((key) => key.account_id !== account_id);
    const all = [...others, ...own];
    if (all.length > 0) this.#keys.set(name, all);
    else this.#keys.delete(name);
  }

  /** Keys that may have signed a message about `zone`; several, because accounts may use the same key name. */
  candidates(signature: Signature, zone: string): KnownKey[] {
    const own = this.#incoming.get(zone)?.known;
    const named = this.#keys.get(nameToApi(signature.name)) ?? [];
    return (own ? [own, ...named] : named).filter((key) => isOfKey(signature, key));
  }

  /** The zone, if this client may transfer it over the client's transport, with a message that `key` signed. */
  mayTransfer(zone: string, client: Client, key: KnownKey | undefined): Outgoing | undefined {
    const transfer = this.#outgoing.get(zone);
    const allowed = transfer?.allowed.some(
      ({ ip, tsig_key: wanted, tls_only = false }) =>
        isFrom(ip, client) &&
        (client.secure ? client.isXot === true : !tls_only) &&
        (wanted === undefined || (key?.text === wanted && key.account_id === transfer.account_id)),
    );
    return allowed ? transfer : undefined;
  }

  /** The zone, if this client may send a NOTIFY for it. */
  mayNotify(zone: string, client: Client, key: KnownKey | undefined): Incoming | undefined {
    const incoming = this.#incoming.get(zone);
    if (!incoming?.addresses.some((text) => isFrom(text, client))) return undefined;
    const isForeign = key !== undefined && key !== incoming.known;
    return isForeign || (incoming.mustSign && key === undefined) ? undefined : incoming;
  }
}

const knownKey = ({ account_id, name, algorithm, secret }: PeerKey): KnownKey => ({
  account_id,
  text: name,
  name: nameFromApi(name),
  algorithm,
  secret,
});

/** Whether a client has this address, or one with this prefix. */
function isFrom(text: string, { address }: Client): boolean {
  const prefix = scanPrefix(text);
  return prefix !== undefined && contains(prefix, address);
}

/** Removes the entry of a zone, unless another account has the zone by now. */
function removeOwn(
  entries: Map<string, { readonly account_id: string }>,
  { account_id, zone }: Pick<Outgoing, "account_id" | "zone">,
): void {
  if (entries.get(zone)?.account_id === account_id) entries.delete(zone);
}
