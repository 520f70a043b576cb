/** The routes of an account's settings: its contact details, and the guard against deletions. */
import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { isObject, pick } from "../../../lib/values.ts";
import { afterBody, maybe } from "../../kit/schema.ts";
import { route } from "../../write/route.ts";
import { guardScope } from "../members/guard-scope.ts";
import { getSettings, type Settings, updateSettings } from "./settings-store.ts";

const tag = "Account";
const path = "/v1/account/settings";
const right = "account.manage_account_settings";

const texts = ["firstname", "lastname", "company", "email", "secondary_email", "phone", "title", "website"] as const;
const places = ["street", "city", "state", "country", "postalcode"] as const;

const text = Type.String({ maxLength: 255 });
const postalcode = Type.Optional(
  Type.Unsafe<string | number | null>({
    type: ["string", "integer", "null"],
    maxLength: 255,
    description: "A number is stored as text.",
  }),
);

/** An object type with a field of each name. */
const fieldsOf = <Name extends string, Schema>(names: readonly Name[], schema: Schema) =>
  // safe: every name has its schema
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;

const Contact = Type.Object(
  {
    customerid: Type.Integer({ description: "Derived from the account's id; it cannot be changed." }),
    ...fieldsOf(texts, Type.String()),
    address: Type.Object(fieldsOf(places, Type.String())),
    deletion_guard: Type.Optional(guardScope("Present once it has been set.")),
  },
  { $id: "Contact", description: "Fields that were never set are empty." },
);
const ContactBody = Type.Object(
  {
    ...fieldsOf(texts, maybe(text)),
    address: maybe(Type.Object({ ...fieldsOf(places, maybe(text)), postalcode })),
    deletion_guard: maybe(
      guardScope("By default the service's (`--deletion-guard`). Applies to keys without their own, and to sessions."),
    ),
  },
  { $id: "ContactBody", examples: [{ company: "Example", address: { city: "New York", postalcode: "10005" } }] },
);
type ContactBody = Static<typeof ContactBody>;

export const contactRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "Get the account's settings",
    right,
    reply: Contact,
    run: async (_, { db, account_id }) => replyOf(account_id, await getSettings(db, account_id)),
  }),
  route({
    method: "POST",
    path,
    tag,
    summary: "Change the account's settings",
    desc: "Omitted fields keep their values, also within address; null empties a field. The contact details are stored but not used.",
    right,
    exclusive: true,
    body: ContactBody,
    reply: Contact,
    log: ["account", "update"],
    async run({ body: { deletion_guard, ...body } }, { db, account_id, afterCommit }) {
      const before = await getSettings(db, account_id);
      const after = {
        contact: merged(before.contact, body),
        deletion_guard: afterBody(deletion_guard, before.deletion_guard, null),
      };
      // the activity log takes the id from the reply
      const reply = { id: account_id, ...replyOf(account_id, after) };
      if (isDeepStrictEqual(after, pick(before, ["contact", "deletion_guard"]))) {
        return new Reply(reply, { changed: false });
      }
      await updateSettings(db, account_id, after);
      if (after.deletion_guard !== before.deletion_guard) afterCommit("callers");
      return new Reply(reply, { before: { ...reply, ...replyOf(account_id, before) } });
    },
  }),
];

type Stored = Readonly<Record<string, unknown>>;

function merged(before: Stored, { address, ...body }: ContactBody): Stored {
  const after = mergeFields(before, body, texts);
  if (address === undefined) return { ...after, address: addressOf(before) };
  return { ...after, address: address === null ? {} : mergeFields(addressOf(before), address, places) };
}

/** Merges the sent fields with these names into the stored ones. Empty fields are left out. */
function mergeFields(before: Stored, body: Stored, names: readonly string[]): Stored {
  const fields = names.map((name) => [name, body[name] === undefined ? before[name] : body[name]]);
  return Object.fromEntries(
    fields.filter(([, value]) => (value ?? "") !== "").map(([name, value]) => [name, String(value)]),
  );
}

const addressOf = ({ address }: Stored): Stored => (isObject(address) ? address : {});

const filled = <Name extends string>(names: readonly Name[], stored: Stored) =>
  // safe: every name has a text
  Object.fromEntries(names.map((name) => [name, String(stored[name] ?? "")])) as Record<Name, string>;

const replyOf = (
  account_id: string,
  { contact, deletion_guard }: Pick<Settings, "contact" | "deletion_guard">,
): Static<typeof Contact> => ({
  customerid: customerOf(account_id),
  ...filled(texts, contact),
  address: filled(places, addressOf(contact)),
  ...(deletion_guard === null ? {} : { deletion_guard }),
});

/** A number of 28 bits: clients expect an integer, but account ids in the store are text. */
const customerOf = (account_id: string) => Number.parseInt(hash("sha256", account_id).slice(0, 7), 16);
