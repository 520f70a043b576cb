/**
 * A caller with fewer rights cannot gain any by changing keys, users and teams, nor by using the keys and users that it
 * controls.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { newId } from "../../../lib/ids.ts";

// replies contain the tokens of users, so that their creator can act as them
const api = await startApi({ edition: "ddi" });

/** All rights except writing zones, and only one zone. */
const held = { dns: { manage_zones: false, zones_allow_by_default: false, zones_allow: ["a.example"] } };

const permissions = fc.oneof(
  fc.constantFrom<Fields | null>(held, {}, null, { dns: { manage_zones: true } }),
  fc.constantFrom<Fields>(
    { dns: { ...held.dns, zones_allow: ["a.example", "b.example"] } },
    { dns: { zones_allow: [] } },
  ),
  fc.constantFrom<Fields>({ dns: { ...held.dns, zones_allow_by_default: true } }, { account: { manage_plan: false } }),
);

const kinds = ["apikeys", "users", "teams"] as const;
const call = fc.record({
  kind: fc.constantFrom(...kinds),
  act: fc.constantFrom("make", "make", "change", "change", "remove", "reinvite"),
  which: fc.nat(3),
  permissions: fc.option(permissions, { nil: undefined }),
  teams: fc.option(fc.array(fc.nat(3), { maxLength: 2 }), { nil: undefined }),
});
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

/** By kind, the ids of all existing and created things as paths name them, including deleted things. */
type Known = Record<(typeof kinds)[number], string[]>;

/** The newest first, so that created things are changed as often as existing ones. */
const pick = (list: readonly string[], which: number) => list.at(-1 - (which % list.length)) ?? "nothing";

function bodyOf({ kind, permissions, teams }: Call, known: Known): Fields {
  const joined = kind === "teams" || teams === undefined ? {} : { teams: teams.map((n) => pick(known.teams, n)) };
  return { ...(permissions === undefined ? {} : { permissions }), ...joined };
}

async function act(by: Client, one: Call, known: Known): Promise<void> {
  const { kind, which } = one;
  const path = `account/${kind}`;
  const target = pick(known[kind], which);
  const answer =
    one.act === "make"
      ? await by.call("PUT", path, { name: newId(), ...named(kind), ...bodyOf(one, known) })
      : one.act === "change"
        ? await by.call("POST", `${path}/${target}`, bodyOf(one, known))
        : one.act === "remove"
          ? await by.call("DELETE", `${path}/${target}`)
          : await by.call("POST", `account/reinvite/${pick(known.users, which)}`, { email: "me@example.com" });
  // 401: the caller has deleted its own key
  expect([200, 400, 401, 403, 404], answer.text).toContain(answer.status);
  if (one.act === "make" && answer.status === 200) {
    known[kind].push(String(answer.body[kind === "users" ? "username" : "id"]));
  }
}

function named(kind: (typeof kinds)[number]): Fields {
  const username = `u-${newId()}`;
  return kind === "users" ? { username, email: `${username}@example.com` } : {};
}

interface Effective {
  readonly rights: readonly { readonly right: string; readonly allowed: boolean }[];
  readonly calls: readonly { readonly allowed: boolean }[];
}

/** Whether a holder may do more than `held`: by its rights, or in other zones. */
async function hasMoreRights(kind: string, name: string): Promise<boolean> {
  const { status, body } = await api.call<Effective>("GET", `account/${kind}/${name}/effective?zone=b.example`);
  if (status === 404) return false;
  const { rights, calls } = body;
  return (
    rights.some(({ right, allowed }) => right === "dns.manage_zones" && allowed) || calls.some((one) => one.allowed)
  );
}

const stronger = "stronger";

/** Holders with more rights, and the addresses of the users among them: the caller may change none of these. */
async function strongerHolders({ apikeys, users }: Known): Promise<unknown[]> {
  const found = [];
  for (const id of apikeys) if (await hasMoreRights("apikeys", id)) found.push(id);
  const there = new Map((await api.must<Fields[]>("GET", "account/users")).map((user) => [user["username"], user]));
  for (const name of users)
    if (there.has(name) && (await hasMoreRights("users", name))) found.push([name, there.get(name)?.["email"]]);
  return found;
}

test("no sequence of calls yields a right that the caller lacked", async () => {
  const team = async (permissions: Fields) =>
    (await api.must<{ id: string }>("PUT", "account/teams", { name: newId(), permissions })).id;
  const [wide, narrow] = [await team({}), await team(held)];
  await api.must("PUT", "account/users", { username: stronger, email: "stronger@example.com", teams: [wide] });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 6 }), async (calls) => {
      const by = await api.limited({}, { teams: [narrow] });
      const known: Known = { apikeys: [], users: [stronger], teams: [wide] };
      const first = { act: "make" as const, which: 0, permissions: held, teams: undefined };
      for (const kind of kinds) await act(by, { ...first, kind }, known);
      for (const one of calls) await act(by, one, known);
      expect(await strongerHolders(known)).toEqual([[stronger, "stronger@example.com"]]);
    }),
    { numRuns: 50, seed: 1 },
  );
});
