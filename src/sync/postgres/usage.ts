/** Sends reports of queries to PostgreSQL, over a connection that is opened for the first report. */
import type pg from "pg";
import type { TailCarrier, TailQuery, UsageCarrier, UsageReport } from "../usage.ts";
import { connect, drop } from "./connection.ts";

/** Finds the account of each zone: edges know only names. All edges write rows in the same order and never deadlock. */
const addText = `
  with fresh as (
    insert into usage_reporter (edge, boot, sequence, seen_at)
    values ($1, $2, $3, extract(epoch from clock_timestamp())::bigint)
    on conflict (edge, boot) do update set sequence = excluded.sequence, seen_at = excluded.seen_at
      where usage_reporter.sequence < excluded.sequence
    returning sequence),
  counted as (
    select claim.account_id, claim.fqdn as zone, asked.domain, asked.type, asked.queries
    from json_to_recordset($5::json) as asked (zone text, domain text, type text, queries bigint)
    join zone_claim as claim on claim.view = 'default' and claim.fqdn = asked.zone
    where exists (select sequence from fresh)),
  mixed as (
    insert into usage_mix (account_id, span, zone, type, rcode, transport, at, queries)
    select claim.account_id, span, claim.fqdn, asked.type, asked.rcode, asked.transport,
      $4::bigint - $4::bigint % span, asked.queries
    from json_to_recordset($6::json) as asked (zone text, type text, rcode text, transport text, queries bigint)
    join zone_claim as claim on claim.view = 'default' and claim.fqdn = asked.zone
    cross join (values (60), (3600), (86400)) as spans (span)
    where exists (select sequence from fresh)
    order by claim.account_id, span, claim.fqdn, asked.type, asked.rcode, asked.transport
    on conflict (account_id, span, zone, type, rcode, transport, at)
      do update set queries = usage_mix.queries + excluded.queries),
  missed as (
    insert into usage_missing (account_id, zone, at, domain, queries)
    select claim.account_id, claim.fqdn, $4::bigint - $4::bigint % 3600, asked.domain, asked.queries
    from json_to_recordset($7::json) as asked (zone text, domain text, queries bigint)
    join zone_claim as claim on claim.view = 'default' and claim.fqdn = asked.zone
    where exists (select sequence from fresh)
    order by claim.account_id, claim.fqdn, asked.domain
    on conflict (account_id, zone, at, domain) do update set queries = usage_missing.queries + excluded.queries)
  insert into usage (account_id, span, zone, domain, type, at, queries)
  select account_id, span, zone, domain, type, $4::bigint - $4::bigint % span, queries
  from counted cross join (values (60), (3600), (86400)) as spans (span)
  order by account_id, span, zone, domain, type
  on conflict (account_id, span, zone, domain, type, at) do update set queries = usage.queries + excluded.queries`;

/** Stores watched queries under the account that has the zone, and finds the zones that are watched. */
const tailText = `
  with gone as (
    delete from tail_query where ctid in (
      select ctid from tail_query where at < 1000 * (extract(epoch from clock_timestamp())::bigint - 60)
      limit 5000 for update skip locked)),
  stored as (
    insert into tail_query (account_id, zone, at, name, type, rcode, transport, client, country, asn)
    select claim.account_id, claim.fqdn, seen.at, seen.name, seen.type, seen.rcode, seen.transport, seen.client,
      seen.country, seen.asn
    from json_to_recordset($1::json) as seen
      (zone text, at bigint, name text, type text, rcode text, transport text, client text, country text, asn bigint)
    join zone_claim as claim on claim.view = 'default' and claim.fqdn = seen.zone)
  select zone from tail_watch where until > extract(epoch from clock_timestamp()) order by until desc limit 100`;

export class UsageConnection implements UsageCarrier, TailCarrier {
  readonly #url: string;
  #client: pg.Client | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async send({ edge, boot, sequence, at, rows, mix, missing }: UsageReport): Promise<void> {
    try {
      this.#client ??= await connect(this.#url, "usage");
      await this.#client.query(addText, [
        edge,
        boot,
        sequence,
        at,
        ...[rows, mix, missing].map((list) => JSON.stringify(list)),
      ]);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async exchange(queries: readonly TailQuery[]): Promise<readonly string[]> {
    try {
      this.#client ??= await connect(this.#url, "usage");
      const { rows } = await this.#client.query<{ zone: string }>(tailText, [JSON.stringify(queries)]);
      return [...new Set(rows.map(({ zone }) => zone))].sort();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Drops the connection without waiting for anything. */
  close(): void {
    if (this.#client) drop(this.#client);
    this.#client = undefined;
  }
}
