/** What the activity log keeps of a resource: nothing secret, and no more than many entries at once can be read with. */
import { isObject } from "../../../lib/values.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Characters of JSON. */
export const mostKept = 128 * 1024;

/** Fields that tell what the entry is about, and so who may see it. */
const telling = new Set(["id", "name", "username", "zone", "zones", "domain", "type"]);
/** Characters: the zones of a change set may be thousands. */
const mostTelling = mostKept / 2;

/** A copy in which secrets are blanked, without the fields that make it too large: `omitted` names those. */
export function kept(value: unknown): unknown {
  const open = withoutSecrets(value);
  return isObject(open) ? bounded(open) : open;
}

function bounded(fields: Fields): Fields {
  let size = sizeOf(fields);
  if (size <= mostKept) return fields;
  const rest = { ...fields };
  const omitted = Array.isArray(fields["omitted"]) ? [...fields["omitted"]] : [];
  const largest = Object.entries(fields).map(([name, field]) => ({ name, size: sizeOf(field) }));
  for (const field of largest.sort((a, b) => b.size - a.size)) {
    if (size <= mostKept) break;
    if (telling.has(field.name) && field.size <= mostTelling) continue;
    delete rest[field.name];
    omitted.push(field.name);
    size -= field.size;
  }
  return { ...rest, omitted };
}

const sizeOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;

/** Fields that hold secrets wherever they are found. */
const secretFields = new Set([
  ...["key", "secret", "secrets", "password", "invite_token"],
  ...["api_key", "secret_key", "webhook_token"],
]);
const blank = "********";

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, secretFields.has(name) ? blank : withoutSecrets(field)]),
  );
}
