/** Parts of schemas that several kinds of resources use. */
import { type Static, type TSchema, Type } from "typebox";

/** A value or null. */
export const nullable = <T extends TSchema & { type?: string; enum?: readonly unknown[] }>(schema: T) =>
  Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [schema.type ?? "string", "null"],
    ...(schema.enum ? { enum: [...schema.enum, null] } : {}),
  });

/** A field of a body that may be left out; null means unset. */
export const maybe = <T extends TSchema & { type?: string; enum?: readonly unknown[] }>(schema: T) =>
  Type.Optional(nullable(schema));

/** The value of a field after a body is applied: a left-out field keeps its value, and null resets it. */
export const afterBody = <T>(sent: T | null | undefined, before: T | undefined, unset: T): T =>
  (sent === undefined ? before : sent) ?? unset;

/** Like `afterBody`, for a value that `read` checks or converts. */
export const readAfter = <Sent, T>(
  sent: Sent | null | undefined,
  before: T | undefined,
  unset: NoInfer<Sent & T>,
  read: (sent: Sent) => T,
): T => (sent === undefined ? (before ?? unset) : read(sent ?? unset));

/** An object that the API keeps as sent. */
export const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description });

/** Options of an object whose other fields are kept and shown as they were sent. */
export const keepsOthers = { additionalProperties: true, "x-keeps-others": true } as const;

/** An object with some known fields, which the code that reads them checks. */
export const objectWith = (properties: Readonly<Record<string, object>>, description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: "object", properties, additionalProperties: true, description });

/** Objects by name, each with some known fields. */
export const tableOf = (properties: Readonly<Record<string, object>>, description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: { properties }, description });

/** Fields without a schema; the code that reads them checks them. */
export const fieldsNamed = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]));

export const anyArray = (description: string) =>
  Type.Unsafe<readonly unknown[]>({ type: "array", items: {}, description });

export const names = (description: string) =>
  Type.Unsafe<readonly string[]>({ type: "array", items: { type: "string" }, description });

/** One field of a free-form configuration, as `listFields` lists it. */
export const ConfigField = Type.Object({
  desc: Type.String({ description: "HTML." }),
  type: Type.String(),
  shortdesc: Type.String(),
  validator: Type.String(),
  required: Type.Boolean(),
  default: nullable(Type.String()),
  choices: Type.Optional(names("All valid values, if there is a list of them.")),
});

/** A TTL or another count of seconds in DNS (RFC 2181 section 8). */
export const dnsSeconds = (description: string) => Type.Integer({ minimum: 0, maximum: 0x7fffffff, description });
