/** What sticky filters go by: numbers that are the same for a client on every edge and after every restart. */
import { flag } from "../../../lib/fields.ts";
import type { Selection } from "../../model/selection.ts";
import { mix } from "../contract/client.ts";
import type { FilterClient, FilterRecord } from "../contract/filter.ts";

export const stickyConfig = {
  sticky_by_network: flag({
    shortdesc: "Treat a network as one requester",
    desc: "Gives the same order to all requesters of an IPv4 network of 24 bits, or an IPv6 network of 56 bits.",
    default: "0",
  }),
};

/** A number of 32 bits that stands for the client, or for its network. */
export const requester = (client: FilterClient, byNetwork: boolean) =>
  byNetwork ? client.network(24, 56) : client.network(32, 128);

/**
 * What a requester draws for the answer at a place, from 0 to 2^32-1. It depends on nothing else: answers that come or
 * go leave the order of the others as it was (rendezvous hashing).
 */
export function lot(requester: number, selection: Selection, rank: number, { identities }: FilterRecord): number {
  const identity = identities[selection.answer(rank)]!;
  const address = selection.address(rank);
  return lotOf(requester, address === undefined ? identity : mix(identity, address));
}

/** What a requester draws for anything that a number of 32 bits stands for. */
export const lotOf = (requester: number, identity: number) => mix(mix(requester, identity), 0x9e3779b9) >>> 0;
