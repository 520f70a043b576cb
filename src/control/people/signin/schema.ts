/** Pieces of schema that the routes of signing in share, and what all of these routes are. */
import { type Static, Type } from "typebox";
import { hasTotp } from "../credentials/signer.ts";
import type { Signer } from "../credentials/signer-store.ts";
import type { Session } from "./sessions.ts";

/** Open, since half a session is nobody's yet: each handler says which sessions it takes. */
export const ofPages = { tag: "Sign-in", right: "open", ownSite: true, secret: true } as const;
/** Writes with an entry of the activity log that is the user's, or none when nothing comes of them. */
export const writes = { method: "POST", ownTransaction: true } as const;

export const text = (description: string) => Type.String({ description });
const maxText = { maxLength: 1024 };

export const username = Type.String({ ...maxText, description: "The login name." });
export const nameOrAddress = Type.String({ ...maxText, description: "The login name, or the e-mail address." });
export const password = Type.String({ ...maxText, description: "The password." });
export const newPassword = Type.String({
  ...maxText,
  description: "12 to 256 characters, not the same few again and again, and without the login name.",
});
export const code = Type.String({ maxLength: 64, description: "Six digits, as the authenticator app shows them now." });
export const recoveryCode = Type.String({ maxLength: 64, description: "One of the ten, however it is typed." });

export const SignedIn = Type.Object(
  {
    stage: Type.Unsafe<Session["stage"]>({
      type: "string",
      enum: ["full", "second_factor", "enrolment"],
      description:
        "full: signed in. second_factor: a code is missing (POST /v1/auth/secondfactor), and nothing else can be done. " +
        "enrolment: the account requires a second factor, and nothing else can be done than setting one up.",
    }),
    csrf_token: text("For the header X-CSRF-Token of every write with this session."),
    user: Type.Object({
      username: Type.String(),
      name: Type.String(),
      email: Type.String(),
      "2fa_enabled": Type.Boolean(),
    }),
  },
  { $id: "SignedIn" },
);

export const userShown = (signer: Signer): Static<typeof SignedIn>["user"] => ({
  username: signer.username,
  name: signer.name,
  email: signer.email,
  "2fa_enabled": hasTotp(signer),
});
