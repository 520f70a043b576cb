/** SQL of authentication. */
import { sql } from "kysely";
import type { GuardScope } from "../../storage/tables/accounts.ts";
import { type Db, rowsOf, statement } from "../kit/store.ts";
import type { Holder, Team } from "./holder.ts";

type HolderTable = "api_key" | "account_user";

/** Selects the account's allow lists, as one array for each. */
export const allowedOfAccount = (holder: HolderTable) =>
  sql<FoundHolder["allowed_of_account"]>`${sql.raw(allowedText(holder))}`;
const allowedText = (holder: HolderTable) => `coalesce(
  (select json_agg("values") from allow_list where allow_list.account_id = ${holder}.account_id), '[]')`;

/** Selects the teams of a holder; a team that no longer exists is left out, and grants nothing. */
export const inTeams = (holder: HolderTable) => sql<FoundHolder["in_teams"]>`${sql.raw(teamsText(holder))}`;
const teamsText = (holder: HolderTable) => `coalesce(
  (select json_agg(json_build_object(
     'id', team.id, 'name', team.name, 'permissions', team.permissions, 'ip_whitelist', team.ip_whitelist))
   from team where team.account_id = ${holder}.account_id
     and team.id in (select json_array_elements_text(${holder}.teams))), '[]')`;

/** The teams and allow lists selected with a key or user. */
interface FoundHolder {
  readonly in_teams: readonly Team[];
  readonly allowed_of_account: readonly (readonly string[])[];
}

/** A key, found by its string or by one of its secrets. */
interface FoundKey extends Holder, FoundHolder {
  readonly account_id: string;
  readonly id: string;
  readonly name: string;
  /** Unix seconds; null while the account is not suspended. */
  readonly suspended_at: number | null;
  /** Whether the account is one of the operator. */
  readonly operator: boolean;
  /** The key's, or else the account's. */
  readonly deletion_guard: GuardScope | null;
  /** Null for the key's own string, which does not expire. */
  readonly secret_id: string | null;
  readonly enabled: boolean | null;
  readonly expires_at: number | null;
}

/** Finds a key by the keyed hash of its string. The statement's text is fixed, because nearly every write runs it again. */
export const findKeyByHash = async (db: Db, hash: string): Promise<FoundKey | undefined> =>
  (await rowsOf(db, statement<FoundKey>(byHash, [hash])))[0];

const byHash = `
  select key_claim.secret_id, api_key_secret.enabled, api_key_secret.expires_at, api_key.account_id,
    account.suspended_at, account.operator, coalesce(api_key.deletion_guard, account.deletion_guard) as deletion_guard,
    api_key.id, api_key.name, api_key.permissions, api_key.ip_whitelist, api_key.ip_whitelist_strict, api_key.teams, ${teamsText("api_key")} as in_teams,
    ${allowedText("api_key")} as allowed_of_account
  from key_claim
  join api_key on api_key.account_id = key_claim.account_id and api_key.id = key_claim.key_id
  left join api_key_secret on api_key_secret.account_id = key_claim.account_id
    and api_key_secret.key_id = key_claim.key_id and api_key_secret.id = key_claim.secret_id
  join account on account.id = api_key.account_id
  where key_claim.hash = $1`;

export interface KeyUse {
  readonly account_id: string;
  readonly id: string;
  readonly secret_id: string | null;
  readonly at: number;
}

/** Stores the time of last use of keys and their secrets, in the order of ids to prevent deadlocks between processes. */
export async function touchKeys(db: Db, uses: readonly KeyUse[]): Promise<void> {
  const accounts = uses.map((use) => use.account_id);
  const ids = uses.map((use) => use.id);
  const secrets = uses.map((use) => use.secret_id);
  const times = uses.map((use) => use.at);
  await sql`
    with used as (
      select * from unnest(${accounts}::text[], ${ids}::text[], ${secrets}::text[], ${times}::bigint[])
        as each (account_id, id, secret_id, at) order by id, secret_id),
    of_secrets as (
      update api_key_secret set last_access = used.at from used
      where api_key_secret.account_id = used.account_id and key_id = used.id and api_key_secret.id = used.secret_id)
    update api_key set last_access = used.at
    from (select account_id, id, max(at) as at from used group by account_id, id order by id) as used
    where api_key.account_id = used.account_id and api_key.id = used.id`.execute(db);
}
