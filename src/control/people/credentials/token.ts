/** Tokens of links: valid once and for a limited time, stored as a keyed hash only. */
import { randomBytes } from "node:crypto";
import type { Ctx } from "../../write/context.ts";
import { findToken, putToken, takeToken } from "./token-store.ts";
import type { UserRef } from "./user-rows-store.ts";

type TokenCtx = Pick<Ctx, "db" | "secrets" | "now">;

/** The kinds with which a user sets a password. */
export type PasswordTokenKind = "invitation" | "reset";
/** `first` signs the first user in, who has no password yet. */
export type TokenKind = PasswordTokenKind | "first";

/** Seconds for which a token is valid. */
const lifetimes: Readonly<Record<TokenKind, number>> = { invitation: 72 * 3600, reset: 3600, first: 15 * 60 };

/** The lifetime in words, for mails. */
export const lifetimeOf = (kind: PasswordTokenKind) =>
  lifetimes[kind] === 3600 ? "an hour" : `${lifetimes[kind] / 3600} hours`;

/**
 * Issues a token; the user's earlier token of this kind becomes invalid. `address` is the one to which a mail takes it:
 * whoever uses the token has proved that the address is theirs.
 */
export async function issueToken(ctx: TokenCtx, user: UserRef, kind: TokenKind, address?: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const { account_id, id: user_id } = user;
  const expires_at = ctx.now + lifetimes[kind];
  const sent_to = address?.toLowerCase() ?? null;
  await putToken(ctx.db, { account_id, user_id, kind, hash: hashOf(ctx, kind, token), expires_at, sent_to });
  return token;
}

/** The user of a token, which stays valid; undefined for an unknown, used or expired token. */
export const findTokenUser = (ctx: TokenCtx, kind: TokenKind, token: string): Promise<UserRef | undefined> =>
  findToken(ctx.db, kind, hashOf(ctx, kind, token), ctx.now);

/** The user of a token, which becomes invalid; undefined for an unknown, used or expired token. */
export const redeemToken = (ctx: TokenCtx, kind: TokenKind, token: string): ReturnType<typeof takeToken> =>
  takeToken(ctx.db, kind, hashOf(ctx, kind, token), ctx.now);

/** The URL of the page for the token. Browsers send the text after # to no server, so it is in no log and no Referer. */
export const pageLink = (publicUrl: string, kind: PasswordTokenKind, token: string) =>
  `${withoutSlash(publicUrl)}/${kind}#${token}`;

export interface PasswordLink {
  readonly link: string;
  /** Does the same as the page, for use without a browser. */
  readonly command: string;
}

/** Safe: `token` contains no character that is special to a shell. */
export const passwordLink = (publicUrl: string, kind: PasswordTokenKind, token: string): PasswordLink => ({
  link: pageLink(publicUrl, kind, token),
  command:
    "curl -H 'Content-Type: application/json' " +
    `-X POST ${withoutSlash(publicUrl)}/v1/auth/${kind} -d '${JSON.stringify({ token, password: "..." })}'`,
});

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

const hashOf = ({ secrets }: TokenCtx, kind: TokenKind, token: string) => secrets.hash(`${kind}:${token}`);
