/** A signed-in user's second factor: setting it up, confirming it with a code, disabling it, and its recovery codes. */

import { conflict, denied, invalid } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import { confirmTotp, putRecoveryCodes, putTotp, removeSecondFactor } from "../credentials/credential-store.ts";
import { newRecoveryCodes, recoveryHash } from "../credentials/recovery.ts";
import { hasTotp } from "../credentials/sign-in-user.ts";
import { findSignInUser, type SignInUser } from "../credentials/sign-in-user-store.ts";
import { newTotpSecret, qrOf, stepOf, totpUrl } from "../credentials/totp.ts";
import { secondFactorOff, secondFactorOn } from "../users/letters.ts";
import { notifyUser } from "../users/mail.ts";
import { type SignInCtx, writeAs } from "./context.ts";
import { getSession, notSignedIn } from "./current-session.ts";
import {
  checkOwnPassword,
  checkSecondFactor,
  readSecondFactor,
  type SecondFactorProof,
  totpContext,
  totpOf,
} from "./proofs.ts";
import type { Session } from "./sessions.ts";
import { beginOnlySession, type SignInResult } from "./sign-in.ts";

/** Creates a secret, which becomes valid with its first code. It replaces an earlier unconfirmed secret. */
export async function beginFactor(ctx: SignInCtx, password: string) {
  const session = await getSession(ctx, "full", "enrolment");
  const user = await checkOwnPassword(ctx, session, password);
  const secret = await newTotpSecret();
  const sealed = ctx.secrets.seal(secret, totpContext(user.id));
  if (!(await putTotp(ctx.db, user, sealed))) throw alreadyEnabled();
  const url = await totpUrl(secret, user.username);
  return { secret, url, qr: await qrOf(url) };
}

/** Enables the second factor. All other sessions of the user end. */
export async function confirmFactor(
  ctx: SignInCtx,
  code: string,
): Promise<SignInResult & { recovery_codes: readonly string[] }> {
  const session = await getSession(ctx, "full", "enrolment");
  const user = await findSignInUser(ctx.db, session.user);
  if (!user) throw notSignedIn();
  const { totp } = user;
  const { now } = ctx;
  if (totp === null) throw invalid("there is no second factor to confirm: begin to set one up first");
  if (hasTotp(user)) throw alreadyEnabled();
  const step = await stepOf(totpOf(ctx, user), code, now);
  const use = async ({ db }: Ctx) =>
    step !== undefined && (await confirmTotp(db, user, { totp, step, now })) ? "right" : "wrong";
  const recovery_codes = newRecoveryCodes();
  const enabled: SignInUser = { ...user, totp_since: now };
  const newSession = await checkSecondFactor(ctx, { user, attempts: attemptsIn(session), use }, (check) =>
    beginOnlySession(ctx, enabled, "second_factor_enable", async (tx) => {
      await check(tx);
      await storeCodes(tx, user, recovery_codes);
      await notifyUser(tx, user, secondFactorOn);
    }),
  );
  return { newSession, user: enabled, recovery_codes };
}

/**
 * Disables the second factor, unless the account requires one. Asks for the second factor too, since a session and a
 * password may be stolen.
 */
export async function endFactor(ctx: SignInCtx, password: string, proof: SecondFactorProof): Promise<SignInResult> {
  const session = await getSession(ctx, "full");
  const user = await checkOwnPassword(ctx, session, password);
  if (user.second_factor_required) throw denied("this account requires every user to have a second factor");
  if (!hasTotp(user)) throw noFactor();
  const use = await readSecondFactor(ctx, user, proof);
  const disabled: SignInUser = { ...user, totp_since: null };
  const newSession = await checkSecondFactor(ctx, { user, attempts: attemptsIn(session), use }, (check) =>
    beginOnlySession(ctx, disabled, "second_factor_disable", async (tx) => {
      await check(tx);
      await removeSecondFactor(tx.db, user);
      await notifyUser(tx, user, secondFactorOff);
    }),
  );
  return { newSession, user: disabled };
}

/** Replaces the recovery codes. Asks for the second factor too, since recovery codes replace it. */
export async function renewRecoveryCodes(
  ctx: SignInCtx,
  password: string,
  proof: SecondFactorProof,
): Promise<readonly string[]> {
  const session = await getSession(ctx, "full");
  const user = await checkOwnPassword(ctx, session, password);
  if (!hasTotp(user)) throw noFactor();
  const use = await readSecondFactor(ctx, user, proof);
  const codes = newRecoveryCodes();
  await checkSecondFactor(ctx, { user, attempts: attemptsIn(session), use }, (check) =>
    writeAs(ctx, user, "recovery_codes", async (tx) => {
      await check(tx);
      await storeCodes(tx, user, codes);
    }),
  );
  return codes;
}

const attemptsIn = ({ id }: Session) => [["proof", id]] as const;

const storeCodes = (tx: Ctx, user: SignInUser, codes: readonly string[]) =>
  putRecoveryCodes(
    tx.db,
    user,
    codes.map((code) => recoveryHash(user, code)),
  );

const alreadyEnabled = () => conflict("a second factor is already set up: disable it first");
const noFactor = () => invalid("there is no second factor");
