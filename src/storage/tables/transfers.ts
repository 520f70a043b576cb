/** What zones have to do with other servers: how their transfers go, catalogs, and keys. */
import type { Int8 } from "./columns.ts";

/** How the transfers of a zone go. Times in Unix seconds, 0 for never. */
export interface TransferState {
  readonly last_try: number;
  readonly last_xfr: number;
  readonly error: string | null;
  /** The zone is as old as may be then. */
  readonly expires_at: number;
  /** Looks in a row that failed. */
  readonly failures: number;
}

/**
 * What a zone has to do with catalog zones (RFC 9432): it is one of ours, it is one that others made and we follow, it
 * is listed in one of ours, or it was made because one of theirs lists it.
 */
export type CatalogSettings =
  | { readonly role: "producer" }
  /** `confirmed` stands for the removals that a person has agreed to. */
  | { readonly role: "consumer"; readonly confirmed?: string }
  | (CatalogListing & { readonly role: "member" })
  /** `node` is the label under which the catalog lists it. */
  | (CatalogListing & { readonly role: "consumed"; readonly node: string });

export interface CatalogListing {
  /** Name of the catalog zone. */
  readonly of: string;
  readonly groups: readonly string[];
  /** Name of the catalog that may take the zone over. */
  readonly coo: string | null;
}

/** How following a catalog goes. */
export interface CatalogState {
  /** Zones that it lists, of the last time when it was not broken. */
  readonly members: number;
  /** Of the version that was followed last; -1 for none. */
  readonly serial: number;
  /** What is wrong with it: its zones stay as they are. */
  readonly error: string | null;
  /** What it lists and is not followed in, the first of them. */
  readonly skipped: readonly { readonly zone: string; readonly reason: string }[];
  /** Removals that wait to be confirmed: all of them as a digest, and the first by name. */
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
  /** Envelope of the secrets kit, of the secret in base64; context `tsig_key.secret:<account_id>:<name>`. */
  secret: string;
  created_at: Int8;
  updated_at: Int8;
}
