/** Sequences of calls by a restricted key, at random: none of them yields a right that it lacked. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../test/api.ts";
import { permissions, zones } from "../../../test/drawn-permissions.ts";
import { newId } from "../../lib/ids.ts";
import { type Access, beyond } from "./access.ts";
import { type Holder, standingOf, type Team, teamsById } from "./holder.ts";
import { grantOf } from "./permit.ts";

interface Key extends Holder {
  readonly id: string;
  readonly key?: string;
}

const api = await startApi();
for (const zone of zones) await api.must("PUT", `zones/${zone}`, {});
const wide = await api.must("PUT", "account/teams", { name: "wide" });

/** What the actor has, with a group of something else in it, or nothing at all. */
const said = fc.record({
  permissions,
  group: fc.option(fc.constantFrom("dns", "account"), { nil: undefined }),
  isSent: fc.boolean(),
});
const call = fc.record({
  verb: fc.constantFrom("make", "change", "delete"),
  noun: fc.constantFrom("apikeys", "teams", "itself"),
  /** Which of those that there are, the newest first. */
  at: fc.nat({ max: 3 }),
  said,
  teams: fc.option(fc.array(fc.nat({ max: 3 }), { maxLength: 2 }), { nil: undefined }),
});
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

interface Actor {
  readonly client: Client;
  readonly id: string;
  readonly held: Readonly<Record<string, object>>;
}

const list = async <T>(path: string) => (await api.must<T[]>("GET", path)).reverse();

/** What the actor may not do is refused, which is as good. */
async function attempt({ client, id, held }: Actor, { verb, noun, at, said, teams }: Call): Promise<number> {
  const known = await list<Team>("account/teams");
  const others = noun === "teams" ? known : await list<Key>("account/apikeys");
  const body: Fields = {
    name: newId(),
    ...(said.isSent
      ? { permissions: { ...held, ...(said.group ? { [said.group]: said.permissions[said.group] } : {}) } }
      : {}),
    ...(teams && noun !== "teams" ? { teams: teams.map((i) => known[i % known.length]!.id) } : {}),
  };
  const path = `account/${noun === "itself" ? "apikeys" : noun}`;
  const target = noun === "itself" ? id : others[at % others.length]!.id;
  if (verb === "make") return (await client.call("PUT", path, body)).status;
  // gone, it could try nothing more
  if (verb === "change" || noun === "itself") return (await client.call("POST", `${path}/${target}`, body)).status;
  return (await client.call("DELETE", `${path}/${target}`)).status;
}

/** All that the keys may do whose strings the actor has seen. */
async function reach(strings: ReadonlySet<string>): Promise<Access> {
  const teams = teamsById(await list<Team>("account/teams"));
  const keys = (await list<Key>("account/apikeys")).filter(({ key }) => key !== undefined && strings.has(key));
  return keys.flatMap((key) => standingOf(key, teams).access);
}

test("six calls, whichever they are", async () => {
  let faults = 0;
  await fc.assert(
    fc.asyncProperty(
      permissions,
      fc.boolean(),
      fc.array(call, { minLength: 6, maxLength: 6 }),
      async (some, joins, calls) => {
        const held = {
          ...some,
          account: { ...some.account, manage_apikeys: true, manage_teams: true, manage_users: false },
        };
        const of = joins
          ? { teams: [(await api.must("PUT", "account/teams", { name: newId(), permissions: held }))["id"]] }
          : { permissions: held };
        const { id, key } = await api.must<{ id: string; key: string }>("PUT", "account/apikeys", {
          name: newId(),
          ...of,
        });
        const client = api.client(key);
        const strings = new Set([key]);
        for (const one of calls) {
          if ((await attempt({ client, id, held }, one)) >= 500) faults++;
          const seen = await client.call<Key[]>("GET", "account/apikeys");
          for (const other of seen.status === 200 ? seen.body : []) if (other.key) strings.add(other.key);
        }
        expect(beyond([grantOf(held)], await reach(strings))).toEqual([]);
      },
    ),
    { numRuns: 20, seed: 1 },
  );
  expect(faults).toBe(0);
  expect(await api.must("GET", `account/teams/${wide["id"]}`)).toEqual(wide);
});
