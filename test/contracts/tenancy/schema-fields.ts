/** Fields of request bodies, at any depth, whose names show that they refer to an object. */

/** A field, and a body in which only this field is set. */
export interface Field {
  readonly name: string;
  readonly body: (value: string) => unknown;
}

const referring = new Set([
  ...["id", "link", "feed", "feeds", "source", "sourceid", "feedid", "team", "teams", "teamid", "tsig_key", "of"],
  ...["zone", "zone_id", "zones", "domain", "record", "records", "key", "keyid", "secretid", "user", "users"],
  ...["userid", "user_id", "networks", "catalog", "version", "change", "job", "notify_list", "destination"],
]);

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export function referringFields(schema: Schema | undefined): Field[] {
  if (schema === undefined) return [];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      // rules may name zones and records of any account, and missing ones
      name === "permissions"
        ? []
        : [
            ...(referring.has(name) ? shapesOf(name) : []),
            ...referringFields(inner).map(({ name: at, body }) => ({
              name: `${name}.${at}`,
              body: (value: string) => ({ [name]: body(value) }),
            })),
          ],
    ),
    ...referringFields(schema.items).map(({ name, body }) => ({ name, body: (value: string) => [body(value)] })),
    ...(schema.anyOf ?? []).flatMap(referringFields),
  ];
}

const shapesOf = (name: string): Field[] => [
  { name, body: (value) => ({ [name]: value }) },
  { name: `${name}[]`, body: (value) => ({ [name]: [value] }) },
];
