/** NOTIFY messages. */
import { notifyQuery } from "../../src/dns/transfer/query.ts";
import { types } from "../../src/dns/types.ts";
import { nameFromApi } from "../../src/dns/wire/name.ts";

/** A NOTIFY for a zone, with an SOA record. */
export function noticeOf(zone: string): Uint8Array {
  const owner = nameFromApi(zone);
  return notifyQuery(1, owner, { owner, type: types.SOA, ttl: 1, rdata: new Uint8Array(22) });
}
