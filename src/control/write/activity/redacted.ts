/** The form of a resource in the activity log: without secrets, and small enough to read many entries at once. */
import { jsonLength } from "../../../lib/text/json-length.ts";
import { isObject } from "../../../lib/values.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The limit in characters of JSON. */
export const mostLogged = 128 * 1024;

/** Fields that identify the resource, and thereby decide who may see the entry. */
const identifying = new Set(["id", "name", "username", "zone", "zones", "domain", "type"]);
/** The limit of such a field in characters: a change set may have thousands of zones. */
const mostIdentifying = mostLogged / 2;

/** The value with secrets blanked. Fields that would make it too large are removed and named in `omitted`. */
export const redacted = (value: unknown): unknown => withoutSecrets(isObject(value) ? bounded(value) : value);

function bounded(fields: Fields): Fields {
  if (jsonLength(fields, mostLogged) <= mostLogged) return fields;
  // with a colon and a comma; the object has a bracket more than commas
  const sized = Object.entries(fields).map(([name, field]) => {
    return { name, size: jsonLength(name) + jsonLength(field, mostLogged) + 2 };
  });
  let size = sized.reduce((sum, field) => sum + field.size, 1);
  const rest = { ...fields };
  const omitted = Array.isArray(fields["omitted"]) ? [...fields["omitted"]] : [];
  for (const field of sized.sort((a, b) => b.size - a.size)) {
    if (size <= mostLogged) break;
    if (identifying.has(field.name) && field.size <= mostIdentifying) continue;
    delete rest[field.name];
    omitted.push(field.name);
    size -= field.size;
  }
  return { ...rest, omitted };
}

/** Fields that contain secrets in any resource. */
const secretFields = new Set([
  ...["key", "secret", "secrets", "password", "invite_token"],
  ...["api_key", "secret_key", "webhook_token"],
]);
const blank = "********";

/** The value itself if it has no secrets. */
function withoutSecrets(value: unknown): unknown {
  if (!hasSecrets(value)) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  return Object.fromEntries(
    Object.entries(value as object).map(([name, field]) => [
      name,
      secretFields.has(name) ? blank : withoutSecrets(field),
    ]),
  );
}

function hasSecrets(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecrets);
  if (!isObject(value)) return false;
  for (const name of Object.keys(value)) if (secretFields.has(name) || hasSecrets(value[name])) return true;
  return false;
}
