/** The schemas of users in requests and replies. */
import { type Static, Type } from "typebox";
import { type Permissions, permissionsSchema } from "../../access/permissions.ts";
import { maybe, names, nullable } from "../../kit/schema.ts";

const Notify = Type.Object({
  billing: maybe(Type.Boolean({ description: "Whether the user wants mails about bills." })),
});
const SharedAuth = Type.Object({
  saml: maybe(
    Type.Object({
      sso: maybe(Type.Boolean({ description: "Must be false: single sign-on is not available yet." })),
      idp: maybe(
        Type.Object({
          use_metadata_url: maybe(Type.Boolean()),
          metadata_url: maybe(Type.String({ maxLength: 2048 })),
          metadata_file: maybe(Type.String({ maxLength: 65_536 })),
          provider: maybe(Type.String({ maxLength: 255 })),
        }),
      ),
    }),
  ),
});

export const User = Type.Object(
  {
    id: Type.String({
      description: "Stays the same when the username changes. The activity log contains it as resource_id.",
    }),
    username: Type.String({ description: "The name for signing in, which also identifies the user in paths." }),
    email: Type.String({ description: "The address for mails to the user; empty for a first user until it is set." }),
    name: Type.String(),
    teams: names("Ids of teams, whose permissions apply instead of the user's own."),
    permissions: permissionsSchema,
    ip_whitelist: names("Addresses and prefixes."),
    ip_whitelist_strict: Type.Boolean({ description: "Whether only requests from the list are allowed." }),
    notify: Type.Object({ billing: Type.Boolean() }),
    shared_auth: Type.Optional(SharedAuth),
    "2fa_enabled": Type.Boolean({ description: "Whether signing in asks for a second factor." }),
    last_access: nullable(Type.Integer()),
    created: Type.Integer(),
    invite_token: Type.Optional(
      Type.String({ description: "Only in edition ddi, and only in the reply to the creation." }),
    ),
  },
  { $id: "User" },
);

const username = Type.String({ description: "3 to 64 letters, digits and ._@+-; unique over all accounts." });
const email = Type.String({ maxLength: 320, description: "A single address." });
const fields = {
  name: maybe(Type.String()),
  teams: maybe(names("Ids of teams.")),
  permissions: Type.Optional(Type.Unsafe<Permissions | null>({ ...permissionsSchema, type: ["object", "null"] })),
  ip_whitelist: maybe(names("Addresses and prefixes.")),
  ip_whitelist_strict: maybe(Type.Boolean()),
  notify: maybe(Notify),
  shared_auth: maybe(SharedAuth),
};
const examples = [{ username: "ann", email: "ann@example.com", permissions: { account: { manage_users: false } } }];
export const NewUserBody = Type.Object({ username, email, ...fields }, { $id: "NewUserBody", examples });
/** The older form, whose path names the user. */
export const NamedUserBody = Type.Object({ username: maybe(username), email, ...fields }, { $id: "NamedUserBody" });
export const UserBody = Type.Object({ username: maybe(username), email: maybe(email), ...fields }, { $id: "UserBody" });
export const InviteBody = Type.Object(
  { username: maybe(username), email: maybe(email), name: maybe(Type.String()) },
  { $id: "InviteBody" },
);
export type NewUserBody = Static<typeof NewUserBody>;
export type UserBody = Static<typeof UserBody>;
