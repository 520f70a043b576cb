/** Schemas and settings that the sign-in routes share. */
import { type Static, Type } from "typebox";
import { maybe } from "../../kit/schema.ts";
import { hasTotp } from "../credentials/sign-in-user.ts";
import type { SignInUser } from "../credentials/sign-in-user-store.ts";
import type { Session } from "./sessions.ts";

/** For all sign-in routes. They are open, since an incomplete session is no caller: the handlers check the session. */
export const signInRoute = { tag: "Sign-in", right: "open", ownSite: true, secret: true } as const;
/** For writes, whose handlers start their own transactions and log the user's acts. */
export const signInWrite = { ...signInRoute, method: "POST", ownTransaction: true } as const;

export const text = (description: string) => Type.String({ description });
const mostText = { maxLength: 1024 };

export const username = Type.String({ ...mostText, description: "The login name." });
export const nameOrAddress = Type.String({ ...mostText, description: "The login name, or the e-mail address." });
export const password = Type.String({ ...mostText, description: "The password." });
export const newPassword = Type.String({
  ...mostText,
  description: "12 to 256 characters; must not repeat a few characters or contain the login name.",
});
export const code = Type.String({ maxLength: 64, description: "The six digits that the authenticator app shows now." });
export const recoveryCode = Type.String({
  maxLength: 64,
  description: "One of the ten recovery codes, in any case and with any separators.",
});

export const bothProofs = Type.Object(
  { password, code: maybe(code), recovery_code: maybe(recoveryCode) },
  { $id: "BothProofs", examples: [{ password: "...", code: "123456" }] },
);

export const SignedIn = Type.Object(
  {
    stage: Type.Unsafe<Session["stage"]>({
      type: "string",
      enum: ["full", "second_factor", "enrolment"],
      description:
        "full: signed in. second_factor: a code is required (POST /v1/auth/secondfactor) before anything else. " +
        "enrolment: the account requires a second factor, which must be set up before anything else.",
    }),
    csrf_token: text("The value of the header X-CSRF-Token, which every write with this session needs."),
    user: Type.Object({
      username: Type.String(),
      name: Type.String(),
      email: Type.String(),
      "2fa_enabled": Type.Boolean(),
      has_password: Type.Boolean({
        description: "False until the first user, who signed in with the link of a start, has set a password.",
      }),
    }),
  },
  { $id: "SignedIn" },
);

export const userShown = (user: SignInUser): Static<typeof SignedIn>["user"] => ({
  username: user.username,
  name: user.name,
  email: user.email,
  "2fa_enabled": hasTotp(user),
  has_password: user.password !== null,
});
