/**
 * Keys that concurrently change each other, users and teams, while their own rights are reduced: each change must be
 * allowed by the state before it. Sequential calls are compared with the rules in `test/permissions`.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Api, type Client, startApi } from "../../../test/service/api.ts";
import { permissions } from "../../../test/service/drawn-permissions.ts";
import { newId } from "../../lib/ids.ts";
import type { ActivityRow } from "../write/activity/store.ts";
import { type Access, beyond, holds } from "./access.ts";
import type { Holder, Team } from "./holder.ts";
import { grantOf } from "./permit.ts";
import type { Right } from "./rights.ts";
import { standingOf } from "./standing.ts";

const rights = {
  apikey: "account.manage_apikeys",
  user: "account.manage_users",
  team: "account.manage_teams",
} as const satisfies Record<string, Right>;
type Noun = keyof typeof rights;
const paths: Readonly<Record<Noun, string>> = {
  apikey: "account/apikeys",
  user: "account/users",
  team: "account/teams",
};

const drawn = fc.record({
  permissions,
  cut: fc.constantFrom("manage_apikeys", "manage_users", "manage_teams", undefined, undefined, undefined),
});
const call = fc.record({
  verb: fc.constantFrom("make", "change", "change", "change", "change", "delete"),
  noun: fc.constantFrom<Noun>("apikey", "apikey", "user", "team"),
  at: fc.nat(),
  drawn: fc.option(drawn),
  teams: fc.option(fc.array(fc.nat(), { maxLength: 2 }), { nil: undefined }),
});
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;
type Drawn = Call["drawn"];

/** Null means all permissions. */
const permissionsOf = (wanted: Drawn) =>
  wanted && { dns: wanted.permissions.dns, account: wanted.cut === undefined ? {} : { [wanted.cut]: false } };

/** The names that paths use for existing resources, by noun. */
type Known = Readonly<Record<Noun, string[]>>;

/** Makes calls that concern existing resources, one after the other, until the key is deleted. */
async function run(client: Client, calls: readonly Call[], known: Known): Promise<number[]> {
  const statuses: number[] = [];
  for (const call of calls) {
    if (statuses.at(-1) === 401) break;
    statuses.push(await make(client, call, known));
  }
  return statuses;
}

async function make(client: Client, { verb, noun, at, drawn, teams }: Call, known: Known): Promise<number> {
  const joined = teams?.flatMap((which) => known.team[which % known.team.length] ?? []);
  const body = { permissions: permissionsOf(drawn), ...(joined && noun !== "team" ? { teams: joined } : {}) };
  if (verb === "make") {
    const name = newId();
    const own = noun === "user" ? { username: name, email: `${name}@example.com` } : { name };
    const made = await client.call("PUT", paths[noun], { ...own, ...body });
    if (made.status === 200) known[noun].push(String(noun === "user" ? name : made.body["id"]));
    return made.status;
  }
  const called = known[noun][at % known[noun].length] ?? "missing";
  if (verb === "change") return (await client.call("POST", `${paths[noun]}/${called}`, body)).status;
  const { status } = await client.call("DELETE", `${paths[noun]}/${called}`);
  if (status === 200) known[noun].splice(known[noun].indexOf(called), 1);
  return status;
}

/** The account rebuilt from its activity entries; each entry is checked against the state before it. */
class Replay {
  readonly teams = new Map<string, Team>();
  readonly holders = new Map<string, Holder>();

  constructor(holders: readonly (Holder & { readonly id: string })[]) {
    for (const holder of holders) this.holders.set(holder.id, holder);
  }

  /** Applies an entry and returns the permissions that its caller lacked. */
  next({ user_id, resource_type, action, resource }: ActivityRow): string[] {
    const noun = resource_type as Noun;
    const actor = this.holders.get(user_id);
    if (actor === undefined) return ["its caller was gone"];
    const held = this.#accessOf(actor);
    if (!holds(held, rights[noun])) return [`its caller had lost ${rights[noun]}`];
    const { id } = resource as Holder & { id: string };
    const before = this.#found(noun, id);
    if (noun === "team") this.#keepTeam(id, action, resource as Team);
    else this.#keepHolder(id, action, resource as Holder);
    const after = action === "delete" ? [] : this.#found(noun, id);
    return [...beyond(held, before), ...beyond(held, after)];
  }

  #found(noun: Noun, id: string): Access {
    const found = noun === "team" ? this.teams.get(id) : this.holders.get(id);
    if (found === undefined) return [];
    return "teams" in found ? this.#accessOf(found) : [grantOf(found.permissions as never)];
  }

  #accessOf(holder: Holder): Access {
    // a new map, because combined teams are cached by map
    return standingOf(holder, new Map(this.teams)).access;
  }

  #keepHolder(id: string, action: string, shown: Holder): void {
    if (action === "delete") this.holders.delete(id);
    // holders in teams are shown with the permissions of the teams
    else this.holders.set(id, shown.teams.length > 0 ? { ...shown, permissions: {} } : shown);
  }

  #keepTeam(id: string, action: string, team: Team): void {
    if (action !== "delete") {
      this.teams.set(id, team);
      return;
    }
    this.teams.delete(id);
    for (const [member, holder] of this.holders) {
      if (!holder.teams.includes(id)) continue;
      const teams = holder.teams.filter((other) => other !== id);
      this.holders.set(member, { ...holder, teams, permissions: teams.length === 0 ? team.permissions : {} });
    }
  }
}

test("when keys change each other concurrently, the result is that of a sequence of allowed changes", async () => {
  const api = await startApi();
  const list = <T>(path: string) => api.must<(Holder & T & { id: string })[]>("GET", path);
  const draw = <T>(of: fc.Arbitrary<T>, count: number, seed: number) => fc.sample(of, { numRuns: count, seed });
  const [first] = await list<{ username: string }>(paths.user);
  const known: Known = { apikey: [], user: [first!.username], team: [] };
  const begin = async (noun: "apikey" | "team", body: object) => {
    const { id } = await api.must<{ id: string }>("PUT", paths[noun], { name: newId(), ...body });
    known[noun].push(id);
  };
  for (const one of draw(drawn, 3, 1)) await begin("team", { permissions: permissionsOf(one) });
  for (let made = 0; made < 3; made++) await begin("apikey", { permissions: null });
  for (const one of draw(drawn, 1, 2)) await begin("apikey", { permissions: permissionsOf(one) });
  for (const team of known.team.slice(1)) await begin("apikey", { teams: [team] });

  const replay = new Replay([...(await list(paths.apikey)), ...(await list(paths.user))]);
  for (const team of await list<Team>(paths.team)) replay.teams.set(team.id, team);
  const callers = (await list<{ key: string }>(paths.apikey)).filter(({ key }) => key !== api.key);
  const began = newId();
  const restore = draw(call, 40, 3).map(
    (one, i): Call => ({ ...one, verb: "change", noun: "apikey", teams: [], ...(i % 6 === 0 ? {} : { drawn: null }) }),
  );
  const statuses = await Promise.all([
    run(api, restore, known),
    ...callers.map(({ key }, seed) => run(api.client(key), draw(call, 25, seed), known)),
  ]);
  expect(statuses.flat()).not.toContain(500);

  const entries = await entriesSince(api, began);
  expect(entries.length).toBeGreaterThan(10);
  for (const entry of entries) expect([entry, replay.next(entry)]).toEqual([entry, []]);

  const { db } = api.store;
  const [keys, users] = [
    await db.selectFrom("api_key").selectAll().execute(),
    await db.selectFrom("account_user").selectAll().execute(),
  ];
  expect([...replay.holders.keys()].sort()).toEqual([...keys, ...users].map(({ id }) => id).sort());
  const accessOf = (holder: Holder) => standingOf(holder, replay.teams).access;
  const administers = (access: Access) => holds(access, rights.user) && holds(access, rights.apikey);
  expect(users.some((user) => administers(accessOf(user)))).toBe(true);
});

/** The entries in the order in which they were written; the account is locked for each. */
async function entriesSince({ store }: Api, began: string): Promise<ActivityRow[]> {
  const entries = await store.db.selectFrom("activity").selectAll().execute();
  const nouns = Object.keys(rights);
  return entries
    .filter(({ id, resource_type }) => nouns.includes(resource_type) && id > began)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
