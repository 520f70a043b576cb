/** The routes that change secrets of keys that expire, and the strings of other keys. */
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
const atMostTwo = "A key can have at most two active secrets, including its own string.";

const NewSecretBody = Type.Object(
  { expiry_duration: maybe(Type.String({ description: "`30d`; by default the duration of the key." })) },
  { $id: "NewApiKeySecretBody", examples: [{ expiry_duration: "30d" }] },
);
const SecretBody = Type.Object(
  { enabled: maybe(Type.Boolean()) },
  { $id: "ApiKeySecretBody", examples: [{ enabled: false }] },
);
const RotationBody = Type.Object(
  { overlap: maybe(Type.String({ description: "Days for which the earlier string stays valid; `1d` by default." })) },
  { $id: "ApiKeyRotationBody", examples: [{ overlap: "7d" }] },
);

export const keySecretRoutes = [
  route({
    method: "POST",
    path: `${path}/rotate`,
    tag,
    summary: "Give an API key a new string",
    desc:
      "For a key that does not expire. The earlier string becomes one of its `secrets` and stays valid for the days of " +
      `\`overlap\`; with \`0d\` that string and all earlier secrets become invalid at once. ${atMostTwo}`,
    right,
    exclusive: true,
    secret: true,
    body: RotationBody,
    reply: ApiKey,
    log: ["apikey", "update"],
    run: async ({ params, body }, ctx) => keyReply(ctx, await rotateKey(ctx, params.keyid, body.overlap || "1d")),
  }),
  route({
    method: "POST",
    path: `${path}/secrets`,
    tag,
    summary: "Add a secret to an API key that expires",
    desc: `The reply contains the secret's text; no other reply does. ${atMostTwo} Expired secrets are deleted.`,
    right,
    exclusive: true,
    secret: true,
    body: NewSecretBody,
    reply: ApiKey,
    log: ["apikey", "update"],
    async run({ params, body }, ctx) {
      const { row, made } = await addSecret(ctx, params.keyid, body.expiry_duration ?? "");
      return keyReply(ctx, row, made);
    },
  }),
  route({
    method: "POST",
    path: `${path}/secrets/:secretid`,
    tag,
    summary: "Disable or enable a secret of an API key",
    desc: atMostTwo,
    right,
    exclusive: true,
    secret: true,
    body: SecretBody,
    reply: ApiKey,
    log: ["apikey", "update"],
    async run({ params, body }, ctx) {
      const { row, changed } = await changeSecret(ctx, params.keyid, params.secretid, body.enabled);
      const reply = await keyReply(ctx, row);
      return changed ? reply : new Reply(reply, { changed: false });
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/secrets/:secretid`,
    tag,
    summary: "Delete a secret of an API key",
    desc: "The secret is refused after one second at the latest.",
    right,
    exclusive: true,
    reply: "status",
    log: ["apikey", "update"],
    run: async ({ params }, ctx) => keyReply(ctx, await removeSecret(ctx, params.keyid, params.secretid)),
  }),
];
