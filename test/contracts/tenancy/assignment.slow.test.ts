/** Fields that a reply or the store has, but a request cannot set, are not stored when a request sends them. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { routes } from "../../../src/control/index.ts";
import { type Fields, startApi } from "../../service/api.ts";
import { signedIn } from "../../service/browser.ts";
import { nameOf } from "./paths.ts";
import { exempt, prepare } from "./requests.ts";
import { rowsOfAccount } from "./rows.ts";

const api = await startApi();
await api.stranger();
const accounts = await api.store.db.selectFrom("account").select("id").orderBy("created", "desc").execute();
const [own, other] = accounts.map(({ id }) => id) as [string, string];
const { page } = await signedIn(api, { account_id: own });
const requests = await prepare(api, page);
/** Drafts and views belong to users. */
const clientFor = (path: string) => (/^(drafts|views)\b/.test(path) ? page : api);

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly "x-keeps-others"?: true;
}

/** The fields that a schema declares for an object, also inside alternatives. */
const propertiesOf = ({ properties = {}, anyOf = [] }: Schema): Readonly<Record<string, Schema>> =>
  Object.assign({}, properties, ...anyOf.map(propertiesOf));

const namesIn = (schema: Schema): string[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [name, ...namesIn(inner)]),
  ...[...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])].flatMap(namesIn),
];

/** The names of all fields in replies and bodies, of all columns of tables, and some guesses. */
const names = [
  ...new Set([
    ...routes.flatMap(({ reply, body }) => [reply, body]).flatMap((each) => (each?.type ? namesIn(each) : [])),
    ...(
      await sql<{ name: string }>`
        select distinct column_name as name from information_schema.columns where table_schema = current_schema()`.execute(
        api.store.db,
      )
    ).rows.map(({ name }) => name),
    ...["accountid", "customerid", "admin", "role", "password"],
  ]),
];

/**
 * Adds `fields` to every object in a body for which the schema declares fields, unless it keeps others. Leaves out those
 * that it declares.
 */
function withFields(schema: Schema, value: unknown, fields: readonly string[], mark: unknown): unknown {
  if (Array.isArray(value)) {
    const items = [schema, ...(schema.anyOf ?? [])].find((each) => each.items)?.items ?? {};
    return value.map((item) => withFields(items, item, fields, mark));
  }
  if (typeof value !== "object" || value === null) return value;
  const known = propertiesOf(schema);
  if (Object.keys(known).length === 0) return value;
  const added = schema["x-keeps-others"] ? [] : fields;
  return {
    ...Object.fromEntries(added.filter((field) => !Object.hasOwn(known, field)).map((field) => [field, mark])),
    ...Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withFields(known[name] ?? {}, inner, fields, mark)]),
    ),
  };
}

const text = "marked-by-a-body.example";
const number = 4_242_424_242;
const marks = [text, number, [text], { mark: number }, other];
const marked = new RegExp(`${text}|${number}|${other}`);

const covered = routes.filter(
  (route) =>
    route.body !== undefined && route.upload === undefined && route.right !== "open" && !exempt.has(nameOf(route)),
);

test("each endpoint that takes a body has a request", () => {
  expect(covered.map(nameOf).sort()).toEqual(Object.keys(requests).sort());
});

test.each(covered.map((route) => [nameOf(route), route] as const))(
  "%s stores no field that it does not declare",
  async (name, { method, body: schema }) => {
    const theirs = await rowsOfAccount(api.store, other);
    /** Sends all fields at once; if that is refused, each half separately, down to single fields. */
    const send = async (fields: readonly string[], mark: unknown): Promise<void> => {
      const [path, body] = await requests[name]!();
      const answer = await clientFor(path).call(method, path, withFields(schema, body, fields, mark) as Fields);
      expect([200, 400], answer.text).toContain(answer.status);
      if (answer.status === 200) return expect(answer.text).not.toMatch(marked);
      if (fields.length < 2) return;
      const middle = fields.length >> 1;
      await send(fields.slice(0, middle), mark);
      await send(fields.slice(middle), mark);
    };
    const [path, body] = await requests[name]!();
    expect((await clientFor(path).call(method, path, body)).status).toBe(200);
    for (const mark of marks) await send(names, mark);
    expect(await rowsOfAccount(api.store, own)).not.toMatch(marked);
    expect(await rowsOfAccount(api.store, other)).toBe(theirs);
  },
);
