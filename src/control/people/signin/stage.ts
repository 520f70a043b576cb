/** How far signing in has come. */
import { hasTotp } from "../credentials/signer.ts";
import type { Signer } from "../credentials/signer-store.ts";

/** `enrolment`: the account requires a second factor that the user has not got, and nothing else can be done. */
export type Stage = "full" | "second_factor" | "enrolment";

/** What a user's session is good for, as things are now. */
export const stageOf = (stage: "full" | "second_factor", signer: Signer): Stage =>
  stage === "full" && signer.second_factor_required && !hasTotp(signer) ? "enrolment" : stage;

/** What is said where another stage is needed, with what to do about it. */
export const refusals: Readonly<Record<Stage, string>> = {
  full: "you are signed in already",
  second_factor: "signing in is not complete: enter the code of your second factor (POST /v1/auth/secondfactor)",
  enrolment: "this account requires a second factor: set one up first (PUT /v1/auth/totp)",
};
