/** The routes of an account's contact details. */
import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { isObject } from "../../../lib/values.ts";
import { maybe } from "../../kit/schema.ts";
import { route } from "../../write/route.ts";
import { getSettings, updateSettings } from "./settings-store.ts";

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
  },
  { $id: "Contact", description: "Fields that were never set are empty." },
);
const ContactBody = Type.Object(
  {
    ...fieldsOf(texts, maybe(text)),
    address: maybe(Type.Object({ ...fieldsOf(places, maybe(text)), postalcode })),
  },
  { $id: "ContactBody", examples: [{ company: "Example", address: { city: "New York", postalcode: "10005" } }] },
);
type ContactBody = Static<typeof ContactBody>;

export const contactRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "Get the contact details",
    right,
    reply: Contact,
    run: async (_, { db, account_id }) => replyOf(account_id, (await getSettings(db, account_id)).contact),
  }),
  route({
    method: "POST",
    path,
    tag,
    summary: "Change the contact details",
    desc: "Omitted fields keep their values, also within address; null empties a field. The details are stored but not used.",
    right,
    exclusive: true,
    body: ContactBody,
    reply: Contact,
    log: ["account", "update"],
    async run({ body }, { db, account_id }) {
      const { contact: before } = await getSettings(db, account_id);
      const contact = merged(before, body);
      // the activity log takes the id from the reply
      const reply = { id: account_id, ...replyOf(account_id, contact) };
      if (isDeepStrictEqual(contact, before)) return new Reply(reply, { changed: false });
      await updateSettings(db, account_id, { contact });
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

const replyOf = (account_id: string, contact: Stored): Static<typeof Contact> => ({
  customerid: customerOf(account_id),
  ...filled(texts, contact),
  address: filled(places, addressOf(contact)),
});

/** A number of 28 bits: clients expect an integer, but account ids in the store are text. */
const customerOf = (account_id: string) => Number.parseInt(hash("sha256", account_id).slice(0, 7), 16);
