/** The routes of a user's own second factor, and of the requirement that all users of an account have one. */
import { Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { isFactorRequired, setFactorRequired } from "../credentials/factor-requirement-store.ts";
import { route } from "./context.ts";
import { beginFactor, confirmFactor, endFactor, renewRecoveryCodes } from "./factor.ts";
import { signInReply } from "./routes.ts";
import { bothProofs, code, password, SignedIn, signInWrite, text } from "./schema.ts";

const path = "/v1/auth/totp";
const proof = Type.Object({ password }, { $id: "PasswordProof" });
const recovery_codes = Type.Unsafe<readonly string[]>({
  type: "array",
  items: { type: "string" },
  description: "Recovery codes: each is accepted once in place of a code. They are shown only once.",
});

const required = Type.Boolean({ description: "Whether every user of the account needs a second factor." });
const Requirement = Type.Object({ required }, { $id: "TwoFactorRequirement" });

export const factorRoutes = [
  route({
    ...signInWrite,
    method: "PUT",
    path,
    summary: "Begin to set up a second factor",
    desc: "The second factor is enabled once a code confirms it. The secret is shown only once.",
    body: proof,
    reply: Type.Object(
      {
        secret: text("The secret in base 32, for typing it in."),
        url: text("The URL for an authenticator app: otpauth://totp/..."),
        qr: text("The URL as a QR code, in a data URL."),
      },
      { $id: "NewSecondFactor" },
    ),
    run: ({ body }, ctx) => beginFactor(ctx, body.password),
  }),
  route({
    ...signInWrite,
    path,
    summary: "Confirm the second factor with a code",
    desc: "From then on, signing in requires a code. The user's other sessions end, and this session gets a new cookie.",
    body: Type.Object({ code }, { $id: "CodeProof" }),
    reply: Type.Object({ ...SignedIn.properties, recovery_codes }),
    run: async ({ body }, ctx) => signInReply(ctx, await confirmFactor(ctx, body.code)),
  }),
  route({
    ...signInWrite,
    path: `${path}/disable`,
    summary: "Disable the second factor",
    desc: "Requires the password, and a code or a recovery code. Refused if the account requires a second factor. The user's other sessions end, and this session gets a new cookie.",
    body: bothProofs,
    reply: SignedIn,
    run: async ({ body }, ctx) => signInReply(ctx, await endFactor(ctx, body.password, body)),
  }),
  route({
    ...signInWrite,
    path: "/v1/auth/recoverycodes",
    summary: "Create new recovery codes",
    desc: "Requires the password, and a code or a recovery code. Earlier recovery codes stop working.",
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
    summary: "Get whether all users need a second factor",
    right,
    reply: Requirement,
    run: async (_, { db, account_id }) => ({ required: await isFactorRequired(db, account_id) }),
  }),
  route({
    method: "POST",
    path: "/v1/account/twofactor",
    tag,
    summary: "Set whether all users need a second factor",
    desc:
      "Users without a second factor, including users who are signed in, can then do nothing except set one up. API keys " +
      "have no second factor and work as before.",
    right,
    exclusive: true,
    body: Type.Object({ required }, { $id: "TwoFactorRequirementBody" }),
    reply: Requirement,
    log: ["account", "update"],
    async run({ body }, ctx) {
      const { db, account_id } = ctx;
      // the activity log takes the id from the reply
      const reply = { id: account_id, required: body.required };
      if (!(await setFactorRequired(db, account_id, body.required))) return new Reply(reply, { changed: false });
      ctx.afterCommit("callers");
      return new Reply(reply, { before: { ...reply, required: !body.required } });
    },
  }),
];
