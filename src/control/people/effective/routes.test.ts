/** The effective rights over HTTP: calls are allowed exactly where the reply says so. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { newId } from "../../../lib/ids.ts";

const api = await startApi();

interface Reasons {
  readonly allowed: boolean;
  readonly reasons: readonly Fields[];
}
interface Effective {
  readonly rights: readonly (Reasons & { readonly right: string })[];
  readonly scopes: readonly Fields[];
  readonly allow_lists: readonly Fields[];
  readonly calls: readonly (Reasons & { readonly call: string })[] | null;
}

const team = async (name: string, permissions: Fields, rest: Fields = {}) => {
  const { id } = await api.must("PUT", "account/teams", { name, permissions, ...rest });
  return { id, name };
};
const key = async (fields: Fields): Promise<Client & { id: unknown }> => {
  const made = await api.must("PUT", "account/apikeys", { name: newId(), ...fields });
  return { ...api.client(String(made["key"])), id: made["id"] };
};
const effective = ({ id }: { readonly id: unknown }, query = "", kind = "apikeys") =>
  api.must<Effective>("GET", `account/${kind}/${id}/effective${query}`);
const rightIn = ({ rights }: Effective, name: string) => rights.find(({ right }) => right === name);

await api.must("PUT", "zones/a.example", {});
await api.must("PUT", "zones/b.example", {});

const readers = await team("readers", {
  dns: { manage_zones: false, zones_allow_by_default: false, zones_allow: ["a.example"] },
});
const writers = await team(
  "writers",
  { dns: { view_zones: false, zones_deny: ["a.example"], records_deny: [{ domain: "mx.b.example", type: "MX" }] } },
  { ip_whitelist: [{ values: ["127.0.0.0/8"] }] },
);
const both = await key({ teams: [readers.id, writers.id] });

describe("a right", () => {
  test("is allowed or denied by the key's own permissions, or by their omission", async () => {
    const own = await effective(
      await key({ permissions: { dns: { view_zones: true }, monitoring: { manage_jobs: false } } }),
    );
    const reason = (name: string) => rightIn(own, name)?.reasons[0];
    expect(rightIn(own, "dns.view_zones")).toEqual({
      right: "dns.view_zones",
      allowed: true,
      reasons: [{ team: null, allowed: true, reason: "given" }],
    });
    expect(reason("dns.manage_zones")).toEqual({ team: null, allowed: true, reason: "left out" });
    expect(reason("account.manage_auth_keys")).toEqual({ team: null, allowed: false, reason: "left out" });
    expect(reason("monitoring.create_jobs")).toEqual({
      team: null,
      allowed: false,
      reason: "left out: as manage_jobs",
    });
    expect(own.allow_lists).toEqual([]);
    expect(own.calls).toBeNull();
  });

  test("is allowed by the teams that grant it, each with its zones and records", async () => {
    const shown = await effective(both);
    expect(rightIn(shown, "dns.view_zones")).toMatchObject({
      allowed: true,
      reasons: [
        { team: readers, allowed: true, reason: "left out" },
        { team: writers, allowed: false, reason: "given" },
      ],
    });
    expect(shown.scopes).toMatchObject([
      { team: readers, zones_allow_by_default: false, zones_allow: ["a.example"], zones_deny: [] },
      { team: writers, zones_allow_by_default: true, zones_deny: ["a.example"], records_deny: [{ type: "MX" }] },
    ]);
    expect(shown.allow_lists).toEqual([{ level: "teams", values: ["127.0.0.0/8"], admits: null }]);
    expect(await effective(writers, "", "teams")).toMatchObject({
      scopes: [shown.scopes[1]],
      allow_lists: shown.allow_lists,
    });
  });
});

test("an address is admitted or refused by each allow list that applies", async () => {
  const rest = { ip_whitelist: ["127.0.0.1", "2001:db8::/32"], ip_whitelist_strict: true };
  const strict = await key({ teams: [writers.id], ...rest });
  const admits = async (address: string) =>
    (await effective(strict, `?address=${address}`)).allow_lists.map(({ level, admits }) => [level, admits]);
  expect(await admits("::ffff:127.0.0.1")).toEqual([
    ["own", true],
    ["teams", true],
  ]);
  expect(await admits("127.0.0.2")).toEqual([
    ["own", false],
    ["teams", true],
  ]);
  expect(await admits("2001:db8::1")).toEqual([
    ["own", true],
    ["teams", false],
  ]);
  expect((await strict.call("GET", "networks")).status).toBe(200);
});

test("a user's rights are those of the user's teams", async () => {
  const body = { username: "erin", email: "erin@example.com", teams: [readers.id] };
  await api.must("PUT", "account/users", body);
  const shown = await api.must<Effective>("GET", "account/users/erin/effective?zone=a.example");
  expect(shown.scopes).toMatchObject([{ team: readers, zones_allow: ["a.example"] }]);
  expect(shown.calls).toMatchObject([{ allowed: true }, { allowed: false }, { allowed: false }]);
});

describe("a call", () => {
  test("is refused for the right, the zone or the record, by team", async () => {
    const { calls } = await effective(both, "?zone=B.example.&domain=mx.b.example&type=mx");
    expect(calls).toMatchObject([
      { call: "read", allowed: false, reasons: [{ refused: "zone" }, { refused: "right" }] },
      { call: "write", allowed: false, reasons: [{ refused: "right" }, { refused: "record" }] },
      { call: "settings", allowed: true, reasons: [{ refused: "right" }, { team: writers, refused: null }] },
    ]);
  });

  test("is allowed exactly where the reply says so", async () => {
    for (const zone of ["a.example", "b.example"]) {
      for (const [name, type] of [
        ["mx", "MX"],
        ["www", "A"],
      ]) {
        const domain = `${name}.${zone}`;
        const { calls } = await effective(both, `?zone=${zone}&domain=${domain}&type=${type}`);
        const read = await both.call("GET", `zones/${zone}/${domain}/${type}`);
        const answer = type === "MX" ? [10, "m.example."] : ["192.0.2.1"];
        const write = await both.call("PUT", `zones/${zone}/${domain}/${type}`, {
          zone,
          domain,
          type,
          answers: [{ answer }],
        });
        const settings = await both.call("POST", `zones/${zone}`, { ttl: 60 });
        const passed = [read, write, settings].map(({ status }) => status !== 403);
        expect(passed).toEqual(calls?.map(({ allowed }) => allowed));
      }
    }
  });

  test.for([
    ["?domain=www.a.example", "domain and type must be sent together"],
    ["?address=127.1", 'address: "127.1" is not an IP address'],
    [
      "?adress=127.0.0.1",
      'Input validation failed: query parameter "adress" is not known (known here: zone, domain, type, address)',
    ],
    ["?domain=www.a.example&type=A", "domain requires zone"],
    ["?zone=a.example&domain=www.b.example&type=A", 'domain "www.b.example" is not in the zone a.example'],
    ["?zone=a.example&domain=www.a.example&type=NONE", 'record type "NONE" is not known'],
    ["?zone=a", '"a" not a valid zone'],
  ])("%s is refused", async ([query, message]) => {
    const answer = await api.call("GET", `account/apikeys/${both.id}/effective${query}`);
    expect([answer.status, answer.body["message"]]).toEqual([400, message]);
  });
});

test("unknown keys and teams are not found, and the right over keys or teams is required", async () => {
  const limited = await api.limited({
    account: { manage_apikeys: false, manage_teams: false, manage_users: false },
  });
  const stranger = await api.stranger();
  for (const [path, message] of [
    [`account/apikeys/${both.id}/effective`, "api key not found"],
    [`account/teams/${readers.id}/effective`, "team not found"],
    ["account/users/erin/effective", "user not found"],
  ] as const) {
    expect((await limited.call("GET", path)).status).toBe(403);
    const answer = await stranger.call("GET", path);
    expect([answer.status, answer.body["message"]]).toEqual([404, message]);
  }
});
