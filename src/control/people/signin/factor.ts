/** A signed-in user's second factor: setting it up, confirming it with a code, disabling it, and its recovery codes. */

import { conflict, denied, invalid } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import { confirmTotp, putRecoveryCodes, putTotp, removeSecondFactor } from "../credentials/credential-store.ts";
import { newRecoveryCodes, recoveryHash } from "../credentials/recovery.ts";
import { callerOf, hasTotp } from "../credentials/sign-in-user.ts";
import { findSigner, type Signer } from "../credentials/sign-in-user-store.ts";
import { newTotpSecret, qrOf, stepOf, totpUrl } from "../credentials/totp.ts";
import { secondFactorOff, secondFactorOn } from "../users/letters.ts";
import { notifyUser } from "../users/mail.ts";
import type { SignInCtx } from "./context.ts";
import { getSession, notSignedIn } from "./current-session.ts";
import { proveAgain, proveCode, resourceOf, type SecondProof, takerOf, totpContext, totpOf } from "./proofs.ts";
import { beginOnlySession, type Entered } from "./sign-in.ts";

/** Creates a secret, which becomes valid with its first code. It replaces an earlier unconfirmed secret. */
export async function beginFactor(ctx: SignInCtx, password: string) {
  const session = await getSession(ctx, "full", "enrolment");
  const signer = await proveAgain(ctx, session, password);
  const secret = await newTotpSecret();
  const sealed = ctx.secrets.seal(secret, totpContext(signer.id));
  if (!(await putTotp(ctx.db, signer, sealed))) throw alreadyEnabled();
  const url = await totpUrl(secret, signer.username);
  return { secret, url, qr: await qrOf(url) };
}

/** Enables the second factor. All other sessions of the user end. */
export async function confirmFactor(ctx: SignInCtx, code: string): Promise<Entered & { recovery_codes: string[] }> {
  const session = await getSession(ctx, "full", "enrolment");
  const signer = await presentOf(ctx, session.signer);
  const { totp } = signer;
  if (totp === null) throw invalid("there is no second factor to confirm: begin to set one up first");
  if (hasTotp(signer)) throw alreadyEnabled();
  const step = await stepOf(totpOf(ctx, signer), code, ctx.now);
  const recovery_codes = newRecoveryCodes();
  const enabled: Signer = { ...signer, totp_since: ctx.now };
  const begun = await proveCode(ctx, signer, [["proof", session.id]], (prove) =>
    beginOnlySession(ctx, enabled, "second_factor_enable", async (tx) => {
      await prove(async () => {
        const isConfirmed = step !== undefined && (await confirmTotp(tx.db, signer, { totp, step, now: ctx.now }));
        return isConfirmed ? "right" : "wrong";
      });
      await putCodes(tx, signer, recovery_codes);
      await notifyUser(tx, signer, secondFactorOn);
    }),
  );
  return { begun, signer: enabled, recovery_codes };
}

/**
 * Disables the second factor, unless the account requires one. Asks for the second factor too, since a session and a
 * password may be stolen.
 */
export async function endFactor(ctx: SignInCtx, password: string, proof: SecondProof): Promise<Entered> {
  const session = await getSession(ctx, "full");
  const signer = await proveAgain(ctx, session, password);
  if (signer.second_factor_required) throw denied("this account requires every user to have a second factor");
  if (!hasTotp(signer)) throw none();
  const take = await takerOf(ctx, signer, proof);
  const disabled: Signer = { ...signer, totp_since: null };
  const begun = await proveCode(ctx, signer, [["proof", session.id]], (prove) =>
    beginOnlySession(ctx, disabled, "second_factor_disable", async (tx) => {
      await prove(() => take(tx));
      await removeSecondFactor(tx.db, signer);
      await notifyUser(tx, signer, secondFactorOff);
    }),
  );
  return { begun, signer: disabled };
}

/** Replaces the recovery codes. Asks for the second factor too, since recovery codes replace it. */
export async function renewRecoveryCodes(ctx: SignInCtx, password: string, proof: SecondProof): Promise<string[]> {
  const session = await getSession(ctx, "full");
  const signer = await proveAgain(ctx, session, password);
  if (!hasTotp(signer)) throw none();
  const take = await takerOf(ctx, signer, proof);
  const codes = newRecoveryCodes();
  await proveCode(ctx, signer, [["proof", session.id]], (prove) =>
    ctx.transact(
      ["user", "recovery_codes"],
      async (tx) => {
        await prove(() => take(tx));
        await putCodes(tx, signer, codes);
        return { result: undefined, resource: resourceOf(signer) };
      },
      callerOf(signer),
    ),
  );
  return codes;
}

const putCodes = (tx: Ctx, signer: Signer, codes: readonly string[]) =>
  putRecoveryCodes(
    tx.db,
    signer,
    codes.map((code) => recoveryHash(signer, code)),
  );

async function presentOf(ctx: SignInCtx, known: Signer): Promise<Signer> {
  const signer = await findSigner(ctx.db, known);
  if (!signer) throw notSignedIn();
  return signer;
}

const alreadyEnabled = () => conflict("a second factor is already set up: disable it first");
const none = () => invalid("there is no second factor");
