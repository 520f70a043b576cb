/** Tags over HTTP: what records inherit in edition ddi, what makes a tag the record's own, and tags that need rights. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../../test/service/api.ts";
import { ownTagsIn, tagsInForce } from "./tags.ts";

interface Tagged {
  readonly tags: Fields;
  readonly local_tags: readonly string[];
  readonly blocked_tags?: readonly string[];
}

let count = 0;
const answers = [{ answer: ["192.0.2.1"] }];
const shown = ({ tags, local_tags }: Tagged) => ({ tags, local_tags: [...local_tags].sort() });

describe("in edition ddi", async () => {
  const api = await startApi({ edition: "ddi" });

  async function zone(tags: Fields) {
    const name = `tags${++count}.example`;
    await api.must("PUT", `zones/${name}`, { tags });
    return { zone: `zones/${name}`, at: (label: string) => `zones/${name}/${label}.${name}/A` };
  }

  test("a record inherits the tags of its zone, and its own replace them", async () => {
    const { zone: path, at } = await zone({ site: "east", owner: "net" });
    const made = await api.must<Tagged>("PUT", at("www"), { answers, tags: { owner: "web", rack: null } });
    expect(shown(made)).toEqual({ tags: { site: "east", owner: "web", rack: null }, local_tags: ["owner", "rack"] });
    await api.must("POST", path, { tags: { site: "west" } });
    expect(shown(await api.must<Tagged>("GET", at("www")))).toEqual({
      tags: { site: "west", owner: "web", rack: null },
      local_tags: ["owner", "rack"],
    });
    const read = await api.must<Tagged>("GET", path);
    expect(shown(read)).toEqual({ tags: { site: "west" }, local_tags: ["site"] });
  });

  test("blocked tags are not inherited, and are back when they are no longer blocked", async () => {
    const { at } = await zone({ site: "east", owner: "net" });
    const made = await api.must<Tagged>("PUT", at("www"), { answers, blocked_tags: ["site"] });
    expect(made).toMatchObject({ tags: { owner: "net" }, local_tags: [], blocked_tags: ["site"] });
    const own = await api.must<Tagged>("POST", at("www"), { tags: { site: "mine" } });
    expect(shown(own)).toEqual({ tags: { owner: "net", site: "mine" }, local_tags: ["site"] });
    const after = await api.must<Tagged>("POST", at("www"), { tags: {}, blocked_tags: [] });
    expect(shown(after)).toEqual({ tags: { site: "east", owner: "net" }, local_tags: [] });
  });

  test("a body that was read and is sent back makes no inherited tag the record's own", async () => {
    const { zone: path, at } = await zone({ site: "east", owner: "net" });
    await api.must("PUT", at("www"), { answers, tags: { rack: "7" } });
    const read = await api.must<Tagged & Fields>("GET", at("www"));
    const { local_tags: _, ...withoutNames } = read;
    for (const body of [read, withoutNames, { tags: read.tags }]) {
      const again = await api.call("POST", at("www"), body);
      expect([again.status, again.headers.get("x-fairlead-change")]).toEqual([200, null]);
    }
    // as a new record, and in one call for many
    const copy = await api.must<Tagged>("PUT", at("copy"), read);
    expect(shown(copy)).toEqual(shown(read));
    const put = [{ ...read, domain: read["domain"], type: "A" }];
    await api.must("POST", `${path}/records`, { put });
    expect(shown(await api.must<Tagged>("GET", at("www")))).toEqual(shown(read));
    const zoneRead = await api.must("GET", path);
    expect((await api.call("POST", path, zoneRead)).headers.get("x-fairlead-change")).toBeNull();
    // what local_tags name is the record's own, also when it equals an inherited tag
    const named = await api.must<Tagged>("POST", at("www"), { tags: read.tags, local_tags: ["rack", "site"] });
    expect(named.local_tags).toEqual(["site", "rack"]);
  });

  describe("a key without the rights for auth: tags", async () => {
    const limited: Client = await api.limited({ account: { manage_auth_tags: true } });
    const name = `tags${++count}.example`;
    const at = (label: string) => `zones/${name}/${label}.${name}/A`;
    const strong = await api.limited({ account: { manage_auth_tags: true, manage_auth_keys: true } });
    await strong.must("PUT", `zones/${name}`, { tags: { "auth:team": "red", site: "east" } });

    test("may create and change records that inherit one", async () => {
      const made = await limited.must<Tagged>("PUT", at("www"), { answers });
      expect(made.tags).toEqual({ "auth:team": "red", site: "east" });
      await limited.must("POST", at("www"), { ...made, tags: { ...made.tags, rack: "7" } });
    });

    test.for([
      [{ tags: { "auth:team": "blue" } }],
      [{ tags: { "auth:team": "red" }, local_tags: ["auth:team"] }],
      [{ blocked_tags: ["auth:team"] }],
      [{ blocked_tags: ["AUTH:team"] }],
    ])("may not replace or block it: %j", async ([body]) => {
      for (const [method, path] of [
        ["PUT", at(`new${++count}`)],
        ["POST", at("www")],
      ] as const) {
        expect((await limited.call(method, path, { answers, ...body })).status).toBe(403);
      }
    });
  });
});

describe("in edition managed", async () => {
  const api = await startApi();

  test("tags are those that the object itself was given", async () => {
    const name = `tags${++count}.example`;
    await api.must("PUT", `zones/${name}`, { tags: { site: "east" }, local_tags: ["x"] });
    const path = `zones/${name}/www.${name}/A`;
    const sent = { tags: { site: "east" }, local_tags: [], blocked_tags: ["auth:a"] };
    expect(await api.must("PUT", path, { answers, ...sent })).toMatchObject(sent);
    expect(await api.must("POST", path, { tags: {}, blocked_tags: [] })).toMatchObject({ tags: {}, blocked_tags: [] });
    expect(await api.must("GET", `zones/${name}`)).toMatchObject({ tags: { site: "east" }, local_tags: ["x"] });
  });
});

test("names of tags are never those of built-in properties", () => {
  const sent = JSON.parse('{"__proto__": "x", "constructor": "y"}');
  expect(Object.keys(tagsInForce({ tags: sent, blocked_tags: [] }, {}))).toEqual(["__proto__", "constructor"]);
  expect(Object.keys(ownTagsIn(sent, undefined, {}, {}))).toEqual(["__proto__", "constructor"]);
});
