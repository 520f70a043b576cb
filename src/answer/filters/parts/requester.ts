/** The sort keys of sticky filters: the same for a client on every edge and after every restart. */
import { flag } from "../../../lib/fields.ts";
import type { Selection } from "../../model/selection.ts";
import { mix } from "../contract/client.ts";
import type { FilterClient, FilterRecord } from "../contract/filter.ts";

export const stickyConfig = {
  sticky_by_network: flag({
    shortdesc: "Treat a network as one requester",
    desc: "Gives the same order to all requesters in an IPv4 network of 24 bits, or in an IPv6 network of 56 bits.",
    default: "0",
  }),
};

/** A hash of 32 bits that identifies the client, or its network. */
export const requester = (client: FilterClient, byNetwork: boolean) =>
  byNetwork ? client.network(24, 56) : client.network(32, 128);

/**
 * The requester's sort key for the answer at a rank, from 0 to 2^32-1. It depends only on requester and answer: an
 * added or removed answer does not change the order of the other answers (rendezvous hashing).
 */
export function stickyKey(requester: number, selection: Selection, rank: number, { identities }: FilterRecord): number {
  const identity = identities[selection.answer(rank)]!;
  const address = selection.address(rank);
  return stickyKeyOf(requester, address === undefined ? identity : mix(identity, address));
}

/** The requester's sort key for anything with an identity of 32 bits. */
export const stickyKeyOf = (requester: number, identity: number) => mix(mix(requester, identity), 0x9e3779b9) >>> 0;
