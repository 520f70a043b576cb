/** The routes that change what opens an account: secrets of keys that expire, and the strings of others. */
import { Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { maybe } from "../../kit/schema.ts";
import { route } from "../../write/route.ts";
import { addSecret, changeSecret, removeSecret, rotateKey } from "./rotation.ts";
import { keyReply } from "./routes.ts";
import { ApiKey } from "./schema.ts";

const tag = "Account";
const path = "/v1/account/apikeys/:keyid";
const right = "account.manage_apikeys";
const few = "A key has two active secrets at most, its own string among them.";

const NewSecretBody = Type.Object(
  { expiry_duration: maybe(Type.String({ description: "`30d`; the key's own when left out." })) },
  { $id: "NewApiKeySecretBody", examples: [{ expiry_duration: "30d" }] },
);
const SecretBody = Type.Object(
  { enabled: maybe(Type.Boolean()) },
  { $id: "ApiKeySecretBody", examples: [{ enabled: false }] },
);
const RotationBody = Type.Object(
  { overlap: maybe(Type.String({ description: "How long the string before still counts; `1d` when left out." })) },
  { $id: "ApiKeyRotationBody", examples: [{ overlap: "7d" }] },
);

export const keySecretRoutes = [
  route({
    method: "POST",
    path: `${path}/rotate`,
    tag,
    summary: "Give an API key a new string",
    desc:
      "For a key that does not expire. The string before becomes one of its `secrets`, and counts for the days of " +
      `\`overlap\`; with \`0d\` it, and all secrets of before, count no more at once. ${few}`,
    right,
    exclusive: true,
    secret: true,
    body: RotationBody,
    reply: ApiKey,
    log: ["apikey", "update"],
    async run({ params, body }, ctx) {
      const row = await rotateKey(ctx, params.keyid, body.overlap || "1d");
      ctx.afterCommit("callers");
      return keyReply(ctx, row);
    },
  }),
  route({
    method: "POST",
    path: `${path}/secrets`,
    tag,
    summary: "Give an API key that expires another secret",
    desc: `The reply has its text, and no other reply does. ${few} Those that have expired are deleted.`,
    right,
    exclusive: true,
    secret: true,
    body: NewSecretBody,
    reply: ApiKey,
    log: ["apikey", "update"],
    async run({ params, body }, ctx) {
      const { row, made } = await addSecret(ctx, params.keyid, body.expiry_duration ?? "");
      ctx.afterCommit("callers");
      return keyReply(ctx, row, made);
    },
  }),
  route({
    method: "POST",
    path: `${path}/secrets/:secretid`,
    tag,
    summary: "Disable or enable a secret of an API key",
    desc: few,
    right,
    exclusive: true,
    secret: true,
    body: SecretBody,
    reply: ApiKey,
    log: ["apikey", "update"],
    async run({ params, body }, ctx) {
      const { row, changed } = await changeSecret(ctx, params.keyid, params.secretid, body.enabled);
      ctx.afterCommit("callers");
      const reply = await keyReply(ctx, row);
      return changed ? reply : new Reply(reply, { changed: false });
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/secrets/:secretid`,
    tag,
    summary: "Delete a secret of an API key",
    desc: "Its last request is answered within a second.",
    right,
    exclusive: true,
    reply: "status",
    log: ["apikey", "update"],
    async run({ params }, ctx) {
      const row = await removeSecret(ctx, params.keyid, params.secretid);
      ctx.afterCommit("callers");
      return keyReply(ctx, row);
    },
  }),
];
