/** Users, how they prove who they are, and the mails to them. */
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

/** How a user proves to be that user; not there before the first password. */
export interface UserCredentialTable {
  account_id: string;
  user_id: string;
  /** As argon2 writes it, with its parameters. */
  password: string | null;
  /** Envelope of the secrets kit; context `user_credential.totp:<user_id>`. */
  totp: string | null;
  /** null until a code has shown that the secret has arrived. */
  totp_since: ColumnType<number | null, number | null, number | null>;
  /** The latest step of time whose code was taken: no code of this one or an earlier one is taken any more. */
  totp_step: Int8;
}

/** What opens once, instead of a code. */
export interface RecoveryCodeTable {
  account_id: string;
  user_id: string;
  /** SHA-256, which no master key changes: nobody could be given new codes unasked. */
  hash: string;
}

/** What was sent to a user to set a password with. */
export interface UserTokenTable {
  account_id: string;
  user_id: string;
  kind: string;
  /** Keyed hash of the token. */
  hash: string;
  expires_at: Int8;
}

export interface UserSessionTable {
  account_id: string;
  user_id: string;
  /** What the session is called where they are listed: not what the cookie holds. */
  id: string;
  /** Keyed hash of what the cookie holds. */
  hash: string;
  stage: "full" | "second_factor";
  created: Int8;
  used_at: Int8;
  address: string;
  agent: string;
}

/**
 * What is counted: guesses at one login name, at one second factor, in one session or from one address, and mails that one
 * address asks for, one user gets or one account has sent.
 */
export interface SignInGuessTable {
  subject: string;
  /** Milliseconds since the Unix epoch: when all guesses are allowed again. */
  full_at: Int8;
}

/** Mails that wait to be sent. */
export interface MailTable {
  account_id: string;
  id: string;
  recipient: string;
  /** Envelope of subject and both parts, which may hold links that let people in; context `mail.content:<id>`. */
  content: string;
  /** It holds a link that lets its reader in. */
  is_way_in: boolean;
  /** What it is about. */
  resource_type: string;
  resource_id: string;
  attempts: number;
  created: Int8;
  next_try: Int8;
}
