/** What the API says of keys, and takes. */
import { type Static, Type } from "typebox";
import { type Permissions, permissionsSchema } from "../../access/permissions.ts";
import { maybe, names, nullable } from "../../kit/schema.ts";

const Secret = Type.Object(
  {
    id: Type.String({ description: "Names the secret in paths." }),
    key: Type.Optional(Type.String({ description: "The text, in the reply that made it and nowhere else." })),
    expires_at: Type.String({ format: "date-time", description: "From then on it is not known." }),
    last_access: nullable(Type.Integer()),
    enabled: Type.Boolean(),
  },
  { $id: "ApiKeySecret" },
);
export const ApiKey = Type.Object(
  {
    id: Type.String({ description: "Names the key in paths." }),
    key: Type.Optional(
      Type.String({
        description:
          "The string; left out for a key that expires, or may do more than the one that asks, or lasts longer.",
      }),
    ),
    secrets: Type.Optional(
      Type.Array(Secret, { description: "Of a key that expires, and of one that was rotated; the oldest first." }),
    ),
    expiry_duration: Type.Optional(Type.String({ description: "Days for which a new secret counts: `30d`." })),
    name: Type.String(),
    teams: names("Ids of the teams whose permissions count in the place of its own."),
    permissions: permissionsSchema,
    ip_whitelist: names("Addresses and prefixes."),
    ip_whitelist_strict: Type.Boolean({ description: "Whether only requests from the list are allowed." }),
    last_access: nullable(Type.Integer()),
  },
  { $id: "ApiKey" },
);

const fields = {
  ip_whitelist: maybe(names("Addresses and prefixes.")),
  ip_whitelist_strict: maybe(Type.Boolean()),
  teams: maybe(
    names(
      "Ids of teams: their permissions count, and those sent beside them are ignored. `[]` leaves all of them, with what they granted unless permissions say otherwise.",
    ),
  ),
  permissions: Type.Optional(Type.Unsafe<Permissions | null>({ ...permissionsSchema, type: ["object", "null"] })),
  expiry_duration: maybe(
    Type.String({
      description:
        "`30d`: the key has no `key` but `secrets`, each of which counts for so many days. Only for a new key; in a " +
        "change of one that expires it is for its next secrets.",
    }),
  ),
};
export const KeyBody = Type.Object({ name: maybe(Type.String()), ...fields }, { $id: "ApiKeyBody" });
export const NewKeyBody = Type.Object(
  { name: Type.String(), ...fields },
  {
    $id: "NewApiKeyBody",
    examples: [{ name: "acme", permissions: { dns: { zones_allow_by_default: false, zones_allow: ["example.com"] } } }],
  },
);
export type KeyBody = Static<typeof KeyBody>;
