/** The stages of signing in. */
import { hasTotp } from "../credentials/sign-in-user.ts";
import type { SignInUser } from "../credentials/sign-in-user-store.ts";

/** `enrolment`: the account requires a second factor, which the user must set up before anything else. */
export type Stage = "full" | "second_factor" | "enrolment";

/** The current stage of a session; `stage` is the stored one. */
export const stageOf = (stage: "full" | "second_factor", user: SignInUser): Stage =>
  stage === "full" && user.second_factor_required && !hasTotp(user) ? "enrolment" : stage;

/** By the stage of a session, the refusal of requests that require another stage. */
export const refusals: Readonly<Record<Stage, string>> = {
  full: "you are already signed in",
  second_factor: "signing in is not complete: enter the code of your second factor (POST /v1/auth/secondfactor)",
  enrolment: "this account requires a second factor: set one up first (PUT /v1/auth/totp)",
};
