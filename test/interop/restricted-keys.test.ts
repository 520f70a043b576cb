/** Lexicon with keys for one zone, or for one name in it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lexicon, startLexicon } from "./lexicon.ts";

const [zone, other, missing] = ["example.com", "example.net", "example.org"] as const;
const challenge = `_acme-challenge.${zone}`;
let client: Lexicon;
/** Keys for the whole zone, for its ACME challenge, and for the whole zone with the right to read all other zones. */
let [whole, acme, reader] = ["", "", ""];

beforeAll(async () => {
  client = await startLexicon();
  const { service } = client;
  const make = async (fields: object) => {
    const { key } = await service.must("PUT", "account/apikeys", { name: "restricted", ...fields });
    return String(key);
  };
  const only = { view_zones: true, manage_zones: true, zones_allow_by_default: false, zones_allow: [zone] };
  const team = async (name: string, dns: object) =>
    (await service.must("PUT", "account/teams", { name, permissions: { dns } }))["id"];
  for (const name of [zone, other]) {
    await service.zone(name);
    await service.put(name, `www.${name} A`, ["192.0.2.1"]);
  }
  whole = await make({ permissions: { dns: only } });
  const rule = { zone, domain: challenge, type: "TXT" };
  acme = await make({ name: "acme", permissions: { dns: { ...only, records_allow: [rule] } } });
  const teams = [await team("one zone", only), await team("readers", { view_zones: true, manage_zones: false })];
  reader = await make({ name: "reader", teams });
});

afterAll(() => client?.[Symbol.asyncDispose]());

const commands = {
  list: ["A"],
  create: ["A", "--name", "new", "--content", "192.0.2.9"],
  update: ["A", "--name", "www", "--content", "192.0.2.9"],
  delete: ["A", "--name", "www"],
} as const;

/** The last printed line, which users read. */
async function refusal(key: string, ...command: readonly string[]): Promise<string> {
  const { code, err } = await client.run(key, ...command);
  expect(code).not.toBe(0);
  return err.trim().split("\n").at(-1) ?? "";
}

const shown = (message: string, path: string) =>
  `requests.exceptions.HTTPError: 403 Client Error: ${message} for url: https://api.nsone.net/v1/zones/${path}`;

describe("a key for one zone", () => {
  test("creates, lists, changes and deletes there", async () => {
    const [name, id] = [`host.${zone}`, `${zone}/host.${zone}/A`];
    await client.must(whole, "create", zone, "A", "--name", "host", "--content", "192.0.2.1");
    await expect.poll(() => client.seen(name, "A")).toEqual(["192.0.2.1"]);
    const listed = await client.must(whole, "list", zone, "A", "--name", "host");
    expect(listed).toMatchObject([{ id, content: "192.0.2.1" }]);
    await client.must(whole, "update", zone, "A", "--identifier", id, "--name", "host", "--content", "192.0.2.2");
    await expect.poll(() => client.seen(name, "A")).toEqual(["192.0.2.2"]);
    await client.must(whole, "delete", zone, "A", "--name", "host");
    await expect.poll(() => client.seen(name, "A")).toEqual([]);
  });

  test.each([other, missing])("is refused every request in %s, whether the zone exists or not", async (elsewhere) => {
    const message = `You do not have the permission view_zones for the zone ${elsewhere}`;
    const asked = Object.entries(commands).map(([action, options]) => refusal(whole, action, elsewhere, ...options));
    for (const printed of await Promise.all(asked)) expect(printed).toBe(shown(message, elsewhere));
  });

  test("has changed nothing there", async () => {
    const { records } = await client.service.must<{ records: readonly { domain: string }[] }>("GET", `zones/${other}`);
    expect(records.map(({ domain }) => domain)).toEqual([other, `www.${other}`]);
    expect((await client.service.api("GET", `zones/${missing}`)).status).toBe(404);
  });
});

test("a key that may read a zone gets the name of the right that it lacks to write there", async () => {
  expect(await client.must(reader, "list", other, "A")).toMatchObject([{ content: "192.0.2.1" }]);
  const message = `You do not have the permission manage_zones for the zone ${other}`;
  const path = `${other}/new.${other}/A`;
  expect(await refusal(reader, "create", other, ...commands.create)).toBe(shown(message, path));
  await client.must(reader, "create", zone, "TXT", "--name", "reader", "--content", "it writes");
  await expect.poll(() => client.seen(`reader.${zone}`, "TXT")).toEqual(["it writes"]);
});

describe("a key for one name, as ACME clients get it", () => {
  test("creates a challenge with two tokens, and removes it", async () => {
    const at = ["--name", "_acme-challenge"];
    for (const token of ["first", "second"]) await client.must(acme, "create", zone, "TXT", ...at, "--content", token);
    await expect.poll(() => client.seen(challenge, "TXT")).toEqual(["first", "second"]);
    const listed = await client.must(acme, "list", zone, "TXT");
    expect(listed.map(({ name, content }) => [name, content])).toEqual([
      [challenge, "first"],
      [challenge, "second"],
    ]);
    for (const token of ["first", "second"]) await client.must(acme, "delete", zone, "TXT", ...at, "--content", token);
    await expect.poll(() => client.seen(challenge, "TXT")).toEqual([]);
  });

  test.each(["www", "nothing"])("is refused at the name %s, whether the record exists or not", async (name) => {
    const message = `You do not have the permission view_zones for the record ${name}.${zone} A`;
    const path = `${zone}/${name}.${zone}/A`;
    const create = ["create", zone, "A", "--name", name, "--content", "192.0.2.9"];
    for (const command of [create, ["delete", zone, "A", "--name", name]]) {
      expect(await refusal(acme, ...command)).toBe(shown(message, path));
    }
  });

  test("is refused in another zone", async () => {
    const message = `You do not have the permission view_zones for the zone ${other}`;
    expect(await refusal(acme, "list", other, "TXT")).toBe(shown(message, other));
  });
});
