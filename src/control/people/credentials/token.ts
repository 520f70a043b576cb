/** What is sent to a user to set a password with: it opens once and for a time, and lies here as a keyed hash only. */
import { randomBytes } from "node:crypto";
import type { Ctx } from "../../write/context.ts";
import { findToken, putToken, takeToken, type UserRef } from "./token-store.ts";

type Place = Pick<Ctx, "db" | "secrets" | "now">;

export type TokenKind = "invitation" | "reset";

/** Hours for which it opens. */
const lifetimes: Readonly<Record<TokenKind, number>> = { invitation: 72, reset: 1 };

/** How long that is, for those who get one. */
export const lifetimeOf = (kind: TokenKind) => (lifetimes[kind] === 1 ? "an hour" : `${lifetimes[kind]} hours`);

/** A new token; those of its kind that the user was sent before open nothing any more. */
export async function issueToken({ db, secrets, now }: Place, user: UserRef, kind: TokenKind): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const { account_id, id: user_id } = user;
  const expires_at = now + lifetimes[kind] * 3600;
  await putToken(db, { account_id, user_id, kind, hash: secrets.hash(purposeOf(kind, token)), expires_at });
  return token;
}

/** The user whose token this is, which goes on opening. */
export async function findTokenUser(
  { db, secrets, now }: Place,
  kind: TokenKind,
  token: string,
): Promise<UserRef | undefined> {
  return refOf(await findToken(db, kind, secrets.hash(purposeOf(kind, token)), now));
}

/** The user whose token this is, which opens nothing from now on; undefined for one that never did or no longer does. */
export async function redeemToken(
  { db, secrets, now }: Place,
  kind: TokenKind,
  token: string,
): Promise<UserRef | undefined> {
  return refOf(await takeToken(db, kind, secrets.hash(purposeOf(kind, token)), now));
}

/** Where a user goes with it. What stands after # is sent to no server, and so into no log and no Referer. */
export const pageLink = (publicUrl: string, kind: TokenKind, token: string) =>
  `${withoutSlash(publicUrl)}/${kind}#${token}`;

export interface WayIn {
  readonly link: string;
  /** Does what the page behind the link does, where there is no browser. */
  readonly command: string;
}

/** `token` has no character that a shell would take for its own. */
export const wayIn = (publicUrl: string, kind: TokenKind, token: string): WayIn => ({
  link: pageLink(publicUrl, kind, token),
  command:
    "curl -H 'Content-Type: application/json' " +
    `-X POST ${withoutSlash(publicUrl)}/v1/auth/${kind} -d '${JSON.stringify({ token, password: "..." })}'`,
});

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

const refOf = (row: { account_id: string; user_id: string } | undefined): UserRef | undefined =>
  row && { account_id: row.account_id, id: row.user_id };

const purposeOf = (kind: TokenKind, token: string) => `${kind}:${token}`;
