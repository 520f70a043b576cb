/** The settings of the operator. */
import type { Egress } from "../../lib/address/egress.ts";
import type { GuardScope } from "../../storage/tables/accounts.ts";
import type { Edition } from "../access/rights.ts";

export interface Settings {
  readonly edition: Edition;
  readonly networks: readonly Network[];
  /** Public suffixes that may be zones. */
  readonly allowSuffix: readonly string[];
  readonly rate: { readonly limit: number; readonly period: number };
  /** Seconds for which a deleted zone can be brought back. */
  readonly keepDeleted: number;
  readonly deletionGuard: {
    /** The share of a zone's records, or of an account's zones, 0 to 1, above which deletions must be confirmed. */
    readonly share: number;
    /** The scope for accounts and keys without a scope of their own. */
    readonly scope: GuardScope;
  };
  /** The addresses that zones may be transferred from, and that may be notified. */
  readonly egress: Egress;
  /** The address of the portal for people, without a final slash: links in mails begin with it, and its pages may write with a session. */
  readonly publicUrl: string;
}

/** Some of the edges, and the name servers that lead to them. */
export interface Network {
  readonly network_id: number;
  readonly name: string;
  readonly label: string;
  /** At least one; pool names are unique over all networks. */
  readonly pools: readonly Pool[];
}

/** Name servers that are assigned to a zone together. */
export interface Pool {
  readonly name: string;
  /** At least one host name, in lower case, without a final dot. */
  readonly name_servers: readonly string[];
}
