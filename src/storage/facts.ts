/** Statements about the server of the store and its standbys. */

export interface Standby {
  readonly name: string;
  /** Null if the user may not see it. */
  readonly state: string | null;
  readonly sync: string | null;
  /** Octets of log that the standby has not replayed. */
  readonly behind: number | null;
}

export const standbysText = `
  select application_name as name, state, sync_state as sync,
    pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint as behind
  from pg_stat_replication where application_name <> 'pg_basebackup'`;

/** The name and version of the server, such as "PostgreSQL 18.4". */
export const serverVersion = "substring(version() from '^[^ ]+ [^ ]+')";

/** Names of standbys that must confirm a commit; empty for none. */
export const synchronousNames = "current_setting('synchronous_standby_names')";
