/** The routes of a user's own second factor, and of whether an account requires one. */
import { Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { maybe } from "../../kit/schema.ts";
import { requireFactor, requiresFactor } from "../credentials/requirement-store.ts";
import { route } from "./context.ts";
import { replyOf } from "./current.ts";
import { beginFactor, confirmFactor, endFactor, renewRecoveryCodes } from "./factor.ts";
import { signedIn } from "./routes.ts";
import { code, ofPages, password, recoveryCode, SignedIn, text, userShown, writes } from "./schema.ts";

const path = "/v1/auth/totp";
const proof = Type.Object({ password }, { $id: "PasswordProof" });
const bothProofs = Type.Object(
  { password, code: maybe(code), recovery_code: maybe(recoveryCode) },
  { $id: "BothProofs", examples: [{ password: "...", code: "123456" }] },
);
const recovery_codes = Type.Unsafe<readonly string[]>({
  type: "array",
  items: { type: "string" },
  description: "Each opens once in place of a code. They are shown this once.",
});

const required = Type.Boolean({ description: "Whether every user of the account needs a second factor." });
const Requirement = Type.Object({ required }, { $id: "TwoFactorRequirement" });

export const factorRoutes = [
  route({
    ...ofPages,
    ...writes,
    method: "PUT",
    path,
    summary: "Begin to set up a second factor",
    desc: "It counts once a code of it was sent. The secret is shown this once.",
    body: proof,
    reply: Type.Object(
      {
        secret: text("For who types it, in base 32."),
        url: text("What an authenticator app takes: otpauth://totp/..."),
        qr: text("The same as a picture: a data URL."),
      },
      { $id: "NewSecondFactor" },
    ),
    run: ({ body }, ctx) => beginFactor(ctx, body.password),
  }),
  route({
    ...ofPages,
    ...writes,
    path,
    summary: "Confirm the second factor by a code",
    desc: "From now on signing in asks for codes. The user's other sessions end, and this one gets a new cookie.",
    body: Type.Object({ code }, { $id: "CodeProof" }),
    reply: Type.Object({ ...SignedIn.properties, recovery_codes }),
    async run({ body }, ctx) {
      const { begun, signer, recovery_codes } = await confirmFactor(ctx, body.code);
      return replyOf(ctx, begun, { user: userShown(signer), recovery_codes });
    },
  }),
  route({
    ...ofPages,
    ...writes,
    path: `${path}/disable`,
    summary: "Do without a second factor",
    desc: "With the password, and a code or a recovery code. Not where the account requires one. The user's other sessions end, and this one gets a new cookie.",
    body: bothProofs,
    reply: SignedIn,
    run: async ({ body }, ctx) => signedIn(ctx, await endFactor(ctx, body.password, body)),
  }),
  route({
    ...ofPages,
    ...writes,
    path: "/v1/auth/recoverycodes",
    summary: "Make new recovery codes",
    desc: "With the password, and a code or a recovery code. Those before open nothing any more.",
    body: bothProofs,
    reply: Type.Object({ recovery_codes }),
    run: async ({ body }, ctx) => ({ recovery_codes: await renewRecoveryCodes(ctx, body.password, body) }),
  }),
];

const tag = "Account";
const right = "security.manage_global_2fa";

export const requirementRoutes = [
  route({
    method: "GET",
    path: "/v1/account/twofactor",
    tag,
    summary: "Get whether every user needs a second factor",
    right,
    reply: Requirement,
    run: async (_, { db, account_id }) => ({ required: await requiresFactor(db, account_id) }),
  }),
  route({
    method: "POST",
    path: "/v1/account/twofactor",
    tag,
    summary: "Require a second factor of every user, or not",
    desc:
      "Users without one can do nothing but set one up, also those who are signed in. API keys have no second factor, and " +
      "work as before.",
    right,
    exclusive: true,
    body: Type.Object({ required }, { $id: "TwoFactorRequirementBody" }),
    reply: Requirement,
    log: ["account", "update"],
    async run({ body }, ctx) {
      const { db, account_id } = ctx;
      // its id is for the activity log
      const reply = { id: account_id, required: body.required };
      if (!(await requireFactor(db, account_id, body.required))) return new Reply(reply, { changed: false });
      ctx.afterCommit("callers");
      return new Reply(reply, { before: { ...reply, required: !body.required } });
    },
  }),
];
