/** The numbers that sticky filters use: the same for a client on every edge and after every restart. */
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

/** A hash of 32 bits that identifies the client, or its network. */
export const requester = (client: FilterClient, byNetwork: boolean) =>
  byNetwork ? client.network(24, 56) : client.network(32, 128);

/**
 * The requester's lot for the answer at a rank, from 0 to 2^32-1. It depends on these two only: other answers, added
 * or removed, do not change the order of the others (rendezvous hashing).
 */
export function lot(requester: number, selection: Selection, rank: number, { identities }: FilterRecord): number {
  const identity = identities[selection.answer(rank)]!;
  const address = selection.address(rank);
  return lotOf(requester, address === undefined ? identity : mix(identity, address));
}

/** The requester's lot for anything that a number of 32 bits identifies. */
export const lotOf = (requester: number, identity: number) => mix(mix(requester, identity), 0x9e3779b9) >>> 0;
