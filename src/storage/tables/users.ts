/** The tables of users, their credentials and sessions, their drafts and views, and the mails to them. */
import type { ColumnType } from "kysely";
import type { Int8, Json } from "./columns.ts";

export interface UserTable {
  account_id: string;
  id: string;
  username: string;
  email: string;
  name: string;
  permissions: Json<Record<string, unknown>>;
  teams: ColumnType<readonly string[], string | undefined, string>;
  ip_whitelist: ColumnType<readonly string[], string | undefined, string>;
  ip_whitelist_strict: ColumnType<boolean, boolean | undefined, boolean>;
  notify: ColumnType<Record<string, unknown>, string | undefined, string>;
  shared_auth: ColumnType<Record<string, unknown>, string | undefined, string>;
  created: Int8;
  last_access: ColumnType<number | null, number | null, number | null>;
}

export interface LoginClaimTable {
  login: string;
  account_id: string;
  user_id: string;
}

/** The credentials of a user; there is no row before the first password. */
export interface UserCredentialTable {
  account_id: string;
  user_id: string;
  /** In argon2's encoding, with its parameters. */
  password: string | null;
  /** An envelope of the secrets kit; context `user_credential.totp:<user_id>`. */
  totp: string | null;
  /** null until a valid code has confirmed the secret. */
  totp_since: ColumnType<number | null, number | null, number | null>;
  /** The time step of the last accepted code: codes of this step and of earlier ones are refused. */
  totp_step: Int8;
  /** The address, in lower case, to which the last link was mailed with which the user set a password. */
  proven_email: ColumnType<string | null, string | null | undefined, string | null>;
}

/** Recovery codes, which replace a TOTP code once each. */
export interface RecoveryCodeTable {
  account_id: string;
  user_id: string;
  /** SHA-256 without the master key, since users cannot be given new codes when the master key changes. */
  hash: string;
}

/** Tokens that were sent to users to set a password. */
export interface UserTokenTable {
  account_id: string;
  user_id: string;
  kind: string;
  /** The keyed hash of the token. */
  hash: string;
  expires_at: Int8;
  /** The address to which the link was mailed, in lower case; null for a link that somebody else passes on. */
  sent_to: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface UserSessionTable {
  account_id: string;
  user_id: string;
  /** The id of the session in listings; not the value of the cookie. */
  id: string;
  /** The keyed hash of the cookie's value. */
  hash: string;
  stage: "full" | "second_factor";
  created: Int8;
  used_at: Int8;
  address: string;
  agent: string;
}

/**
 * Rate limits: of guesses per login name, second factor, session and address, and of mails per requesting address, user
 * and account.
 */
export interface AttemptTable {
  subject: string;
  /** Milliseconds since the Unix epoch; from then on the whole limit is available again. */
  full_at: Int8;
}

/** Mails that are waiting to be sent. */
export interface MailTable {
  account_id: string;
  id: string;
  recipient: string;
  /** An envelope of subject and both parts, which can contain sign-in links; context `mail.content:<id>`. */
  content: string;
  /** The mail contains a link that gives access. */
  gives_access: boolean;
  /** The resource that the mail is about. */
  resource_type: string;
  resource_id: string;
  attempts: number;
  created: Int8;
  next_try: Int8;
}

/** A change set that a user has begun. */
export interface DraftTable {
  account_id: string;
  user_id: string;
  id: string;
  name: string;
  /** The first names of zones in it, for listings. */
  zones: Json<readonly string[]>;
  /** The number of writes of zones and records. */
  writes: number;
  /** The size that limits count. */
  octets: Int8;
  /** An envelope of the writes, which can contain secrets; context `draft.content:<id>`. */
  content: string;
  created_at: Int8;
  updated_at: Int8;
}

/** Settings of a page that a user has saved. */
export interface ViewTable {
  account_id: string;
  user_id: string;
  id: string;
  name: string;
  page: string;
  settings: Json<Record<string, unknown>>;
  created_at: Int8;
  updated_at: Int8;
}
