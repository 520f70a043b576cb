/**
 * Invariants over all holders: the SQL statements that look for other holders agree with the rules for a single holder.
 */
import { expect, test } from "vitest";
import { testStore } from "../../../../test/store/store.ts";
import type { Holder } from "../../access/holder.ts";
import { holdsRight } from "../../access/standing.ts";
import type { Db } from "../../kit/store.ts";
import { setPassword } from "../credentials/credential-store.ts";
import { insertAccount, insertKey, type KeyRow } from "./key-store.ts";
import { assertAdministratorRemains } from "./members.ts";
import { areHeldByAnotherKey, areHeldByAnotherUser } from "./members-store.ts";
import { findTeams, insertTeam } from "./team-store.ts";
import { blankUser, insertUser, type UserRow } from "./user-store.ts";

const { db } = await testStore();
const account_id = "a";
const rights = ["account.manage_users", "account.manage_apikeys"] as const;

const variants: readonly Record<string, unknown>[] = [
  {},
  { account: {} },
  { dns: { manage_zones: false } },
  ...[true, false, null].map((manage_apikeys) => ({ account: { manage_apikeys } })),
  { account: { manage_users: false } },
  { account: { manage_apikeys: false, manage_users: false } },
  { default: "deny" },
  { default: "deny", account: { manage_apikeys: true, manage_users: null } },
  { default: "deny", account: { manage_apikeys: true, manage_users: true } },
];

async function insertOwner(db: Db): Promise<void> {
  await insertAccount(db, { id: account_id, name: "a", dnssec: false, created: 0 });
  for (const [i, permissions] of variants.entries()) {
    await insertTeam(db, { account_id, id: `t${i}`, name: `t${i}`, permissions, ip_whitelist: [], created: 0 });
  }
}

const teamsOf = [[], ["gone"], ...variants.map((_, i) => [`t${i}`]), ["t5", "t6"], ["t5", "t7"], ["gone", "t0"]];
const lists = [
  { ip_whitelist: [], ip_whitelist_strict: false },
  { ip_whitelist: [], ip_whitelist_strict: true },
  { ip_whitelist: ["192.0.2.0/24"], ip_whitelist_strict: true },
];
const holders: readonly Holder[] = [
  ...variants.flatMap((permissions) => lists.map((list) => ({ permissions, teams: [], ...list }))),
  ...teamsOf.map((teams) => ({ permissions: { account: { manage_apikeys: teams.length > 1 } }, teams, ...lists[0]! })),
];
const isLockedOut = ({ ip_whitelist, ip_whitelist_strict }: Holder) => ip_whitelist_strict && ip_whitelist.length === 0;

await insertOwner(db);
const teams = await findTeams(
  db,
  account_id,
  variants.map((_, i) => `t${i}`),
);

test("the search finds a key that holds manage_apikeys, and no other", async () => {
  const made = { account_id, secret: null, created: 0, last_access: null, deletion_guard: null };
  const rows: KeyRow[] = holders.map((holder, i) => {
    const id = `k${i}`;
    return { ...made, ...holder, id, name: id, expiry_days: i % 2 === 0 ? null : 7 };
  });
  for (const row of rows) await insertKey(db, row, undefined);
  for (const row of rows) {
    const but = rows.map(({ id }) => id).filter((id) => id !== row.id);
    const holds = !isLockedOut(row) && holdsRight(row, teams, "account.manage_apikeys");
    const [any, lasting] = await Promise.all(
      [false, true].map((lasting) =>
        areHeldByAnotherKey(db, account_id, { but, rights: ["account.manage_apikeys"], lasting }),
      ),
    );
    expect([row, any, lasting]).toEqual([row, holds, holds && row.expiry_days === null]);
  }
});

test("the search finds a user who holds both rights through any teams, and no other", async () => {
  const made = { ...blankUser, account_id, email: "", created: 0 };
  const hasEntered = ({ id }: UserRow) => /[02468]$/.test(id);
  const rows: UserRow[] = holders.map((holder, i) => {
    const id = `u${i}`;
    return { ...made, ...holder, id, username: `user${i}`, name: id };
  });
  for (const row of rows) await insertUser(db, row);
  for (const row of rows.filter(hasEntered)) await setPassword(db, row, "a hash");
  for (const row of rows) {
    const but = rows.map(({ id }) => id).filter((id) => id !== row.id);
    const holds = !isLockedOut(row) && rights.every((right) => holdsRight(row, teams, right));
    const [any, entered] = await Promise.all(
      [false, true].map((withPassword) => areHeldByAnotherUser(db, account_id, { but, rights, withPassword })),
    );
    expect([row, any, entered]).toEqual([row, holds, holds && hasEntered(row)]);
  }
});

test("one change can replace the last administrator, if the new administrator can sign in", async () => {
  const own = "b";
  await insertAccount(db, { id: own, name: "b", dnssec: false, created: 0 });
  const less = { account: { manage_users: false } };
  const user = (id: string): UserRow => ({
    ...{ ...blankUser, account_id: own, id, username: id, name: id, email: "", created: 0, permissions: less },
  });
  for (const id of ["eve", "bob", "new"]) await insertUser(db, user(id));
  for (const id of ["eve", "bob"]) await setPassword(db, user(id), "a hash");
  const administered = (by: string) => ({
    rows: ["eve", "bob", "new"].map((id) => ({ ...user(id), permissions: id === by ? {} : less })),
    teams: new Map(),
  });
  const passed = (to: string) =>
    assertAdministratorRemains(db, own, { before: administered("eve"), after: administered(to) });
  await passed("bob");
  await expect(passed("new")).rejects.toMatchObject({ message: expect.stringContaining("has set a password") });
});
