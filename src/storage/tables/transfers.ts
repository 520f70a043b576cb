/** The states of zone transfers and catalogs, and the table of TSIG keys. */
import type { Int8 } from "./columns.ts";

/** The state of a zone's transfers. Times are in Unix seconds; 0 is never. */
export interface TransferState {
  readonly last_try: number;
  readonly last_xfr: number;
  readonly error: string | null;
  /** The time at which the zone expires. */
  readonly expires_at: number;
  /** The number of failed refreshes in a row. */
  readonly failures: number;
}

/**
 * The role of a zone with catalog zones (RFC 9432): our own catalog, another server's catalog that we follow, a member
 * of our catalog, or a zone created from another server's catalog.
 */
export type CatalogSettings =
  | { readonly role: "producer" }
  /** `confirmed` is the digest of the removals that a person has confirmed. */
  | { readonly role: "consumer"; readonly confirmed?: string }
  | (CatalogListing & { readonly role: "member" })
  /** `node` is the label of the zone in the catalog. */
  | (CatalogListing & { readonly role: "consumed"; readonly node: string });

export interface CatalogListing {
  /** The name of the catalog zone. */
  readonly of: string;
  readonly groups: readonly string[];
  /** The name of the catalog that may take over the zone. */
  readonly coo: string | null;
}

/** The state of following a catalog. */
export interface CatalogState {
  /** The number of zones in the last valid version of the catalog. */
  readonly members: number;
  /** The serial of the version that was followed last; -1 for none. */
  readonly serial: number;
  /** The error in the catalog; its zones are left unchanged while there is one. */
  readonly error: string | null;
  /** The first listed zones that are not followed, with the reason. */
  readonly skipped: readonly { readonly zone: string; readonly reason: string }[];
  /** Removals that wait for confirmation: the digest of all of them, and the first names. */
  readonly held: { readonly digest: string; readonly count: number; readonly zones: readonly string[] } | null;
  /** Unix seconds; 0 for never. */
  readonly followed_at: number;
}

/** A key that signs DNS messages. */
export interface TsigKeyTable {
  account_id: string;
  /** Lower case, no final dot. */
  name: string;
  algorithm: string;
  /** An envelope of the secrets kit with the secret in base64; context `tsig_key.secret:<account_id>:<name>`. */
  secret: string;
  created_at: Int8;
  updated_at: Int8;
}
