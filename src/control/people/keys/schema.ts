/** The schemas of keys in requests and replies. */
import { type Static, Type } from "typebox";
import { type Permissions, permissionsSchema } from "../../access/permissions.ts";
import { maybe, names, nullable } from "../../kit/schema.ts";
import { guardScope } from "../members/guard-scope.ts";
import { Preset } from "./presets.ts";

const Secret = Type.Object(
  {
    id: Type.String({ description: "Identifies the secret in paths." }),
    key: Type.Optional(Type.String({ description: "The secret itself, only in the reply to its creation." })),
    expires_at: Type.String({ format: "date-time", description: "The secret is refused from this time on." }),
    last_access: nullable(Type.Integer()),
    enabled: Type.Boolean(),
  },
  { $id: "ApiKeySecret" },
);
export const ApiKey = Type.Object(
  {
    id: Type.String({ description: "Identifies the key in paths." }),
    key: Type.Optional(
      Type.String({
        description:
          "The key string. Omitted for a key that expires, and for a key that has more rights or is valid longer than the caller.",
      }),
    ),
    secrets: Type.Optional(
      Type.Array(Secret, { description: "The secrets of a key that expires or was rotated, the oldest first." }),
    ),
    expiry_duration: Type.Optional(
      Type.String({ description: "Days for which a new secret is valid, such as `30d`." }),
    ),
    name: Type.String(),
    teams: names("Ids of teams, whose permissions apply instead of the key's own."),
    permissions: permissionsSchema,
    ip_whitelist: names("Addresses and prefixes."),
    ip_whitelist_strict: Type.Boolean({ description: "Whether only requests from the list are allowed." }),
    last_access: nullable(Type.Integer()),
    deletion_guard: Type.Optional(guardScope("Present once it has been set.")),
  },
  { $id: "ApiKey" },
);

const fields = {
  ip_whitelist: maybe(names("Addresses and prefixes.")),
  ip_whitelist_strict: maybe(Type.Boolean()),
  deletion_guard: maybe(guardScope("By default the account's.")),
  teams: maybe(
    names(
      "Ids of teams: their permissions apply, and permissions sent with them are ignored. `[]` leaves all teams; the key keeps " +
        "the rights that the teams granted, except where permissions say otherwise.",
    ),
  ),
  permissions: Type.Optional(Type.Unsafe<Permissions | null>({ ...permissionsSchema, type: ["object", "null"] })),
  expiry_duration: maybe(
    Type.String({
      description:
        "For example `30d`: the key has no `key` but `secrets`, each valid for this many days. Can only be set when the key is created; a " +
        "change applies to later secrets of the key.",
    }),
  ),
};
export const KeyBody = Type.Object({ name: maybe(Type.String()), ...fields }, { $id: "ApiKeyBody" });
export const NewKeyBody = Type.Object(
  { name: Type.String(), ...fields, preset: maybe(Preset) },
  {
    $id: "NewApiKeyBody",
    examples: [{ name: "certbot", preset: { name: "acme", zone: "example.com", domain: "www.example.com" } }],
  },
);
export type KeyBody = Static<typeof KeyBody>;
export type NewKeyBody = Static<typeof NewKeyBody>;
