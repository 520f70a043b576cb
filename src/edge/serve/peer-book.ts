/** Keys and partners of zones, indexed for a worker. */

import type { Signature } from "../../dns/tsig/record.ts";
import { isOfKey, type TsigKey } from "../../dns/tsig/tsig.ts";
import { nameFromApi, nameToApi } from "../../dns/wire/name.ts";
import { contains, type IpPrefix, scanPrefix } from "../../lib/address/ip.ts";
import type { Client } from "../../net/socket/service.ts";
import type { Incoming, Outgoing, PeerKey, Peers } from "../../sync/peers.ts";

/** A key that may have signed a message. */
export interface KnownKey extends TsigKey {
  readonly account_id: string;
  /** The name in the API's spelling. */
  readonly text: string;
}

interface Transfer extends Outgoing {
  readonly prefixes: readonly {
    readonly prefix: IpPrefix;
    readonly key: string | undefined;
    readonly tlsOnly: boolean;
  }[];
}

export class PeerBook {
  readonly #keys = new Map<string, KnownKey[]>();
  readonly #outgoing: ReadonlyMap<string, Transfer>;
  readonly #incoming: ReadonlyMap<string, Incoming & { readonly known: KnownKey | undefined }>;

  constructor({ keys, outgoing, incoming }: Peers) {
    for (const key of keys) {
      const others = this.#keys.get(key.name);
      if (others) others.push(knownKey(key));
      else this.#keys.set(key.name, [knownKey(key)]);
    }
    this.#outgoing = new Map(outgoing.map((each) => [each.zone, { ...each, prefixes: prefixesOf(each) }]));
    this.#incoming = new Map(incoming.map((each) => [each.zone, { ...each, known: each.key && knownKey(each.key) }]));
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
    const allowed = transfer?.prefixes.some(
      ({ prefix, key: wanted, tlsOnly }) =>
        contains(prefix, client.address) &&
        (client.secure ? client.isXot === true : !tlsOnly) &&
        (wanted === undefined || (key?.text === wanted && key.account_id === transfer.account_id)),
    );
    return allowed ? transfer : undefined;
  }

  /** The zone, if this client may send a NOTIFY for it. */
  mayNotify(zone: string, client: Client, key: KnownKey | undefined): Incoming | undefined {
    const incoming = this.#incoming.get(zone);
    if (!incoming?.addresses.flatMap((text) => scanPrefix(text) ?? []).some((one) => contains(one, client.address))) {
      return undefined;
    }
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

const prefixesOf = ({ allowed }: Outgoing) =>
  allowed.flatMap(({ ip, tsig_key, tls_only = false }) => {
    const prefix = scanPrefix(ip);
    return prefix ? [{ prefix, key: tsig_key, tlsOnly: tls_only }] : [];
  });
