/** Which user the service runs as, by who starts it, what is asked for and whose the data are. */
import { describe, expect, test } from "vitest";
import type { Account } from "./account.ts";
import { chooseUser, type Facts } from "./choose.ts";

const account = (name: string, uid: number): Account => ({ name, uid, gid: uid });
const root = account("root", 0);
const alice = account("alice", 1000);
const bob = account("bob", 1001);
const fairlead = account("fairlead", 999);

/** A start by root with a new data directory, on a machine with these users. */
const facts = (given: Partial<Facts> = {}, users: readonly Account[] = [root, alice, bob]): Facts => ({
  uid: 0,
  directory: "/data",
  owner: undefined,
  find: (user) => users.find(({ name, uid }) => name === user || uid === Number(user)),
  obstacleFor: () => undefined,
  ...given,
});

describe("root", () => {
  test("becomes the owner of the data directory, also one without a name", () => {
    expect(chooseUser(undefined, facts({ owner: alice }))).toEqual({ kind: "become", account: alice });
    const nameless = { uid: 4711, gid: 4712 };
    const become = { kind: "become", account: { name: "4711", ...nameless } };
    expect(chooseUser(undefined, facts({ owner: nameless }))).toEqual(become);
  });

  test.each([["a new directory", undefined] as const, ["a directory of root", root] as const])(
    "becomes the user of Fairlead for %s, which is made if it does not exist",
    (_, owner) => {
      expect(chooseUser(undefined, facts({ owner }))).toEqual({ kind: "become", account: undefined });
      expect(chooseUser(undefined, facts({ owner }, [root, fairlead]))).toEqual({ kind: "become", account: fairlead });
      expect(chooseUser("fairlead", facts({ owner }))).toEqual({ kind: "become", account: undefined });
    },
  );

  test("becomes the named user, by name or number", () => {
    for (const wanted of ["alice", "1000"])
      for (const owner of [undefined, root, alice])
        expect(chooseUser(wanted, facts({ owner }))).toEqual({ kind: "become", account: alice });
  });

  test("stays root when that is asked for", () => {
    for (const owner of [undefined, root]) expect(chooseUser("root", facts({ owner }))).toEqual({ kind: "stay" });
  });

  test("refuses a user that does not exist", () => {
    expect(() => chooseUser("carol", facts())).toThrow("--user: there is no user carol");
  });

  test.each(["bob", "root", "fairlead"])(
    "refuses %s for the directory of somebody else, and says what to do",
    (wanted) => {
      expect(() => chooseUser(wanted, facts({ owner: alice }))).toThrow(/\/data belongs to alice.*--user alice.*chown/);
    },
  );

  test("stays root with a warning when the user of Fairlead cannot run the service, whether it exists or not", () => {
    const obstacleFor = ({ name }: Account) => `${name} cannot read /root/fairlead`;
    for (const users of [[root], [root, fairlead]]) {
      const { kind, warning } = chooseUser(undefined, facts({ obstacleFor }, users)) as {
        kind: string;
        warning: string;
      };
      expect([kind, warning]).toEqual([
        "stay",
        expect.stringMatching(/runs as root: fairlead cannot read.*--user root/),
      ]);
    }
  });

  test("refuses to start when a named user, or the owner of the directory, cannot run the service", () => {
    const obstacleFor = ({ name }: Account) => `${name} cannot read /root/fairlead`;
    expect(() => chooseUser("alice", facts({ obstacleFor }))).toThrow("alice cannot read");
    expect(() => chooseUser(undefined, facts({ obstacleFor, owner: alice }))).toThrow("alice cannot read");
    expect(chooseUser("root", facts({ obstacleFor }))).toEqual({ kind: "stay" });
  });
});

describe("an ordinary user", () => {
  test("stays, also when it names itself", () => {
    for (const wanted of [undefined, "alice", "1000"])
      expect(chooseUser(wanted, facts({ uid: 1000, owner: bob }))).toEqual({ kind: "stay" });
  });

  test.each(["bob", "root", "carol"])("cannot start Fairlead as %s", (wanted) => {
    expect(() => chooseUser(wanted, facts({ uid: 1000 }))).toThrow(
      `--user: only root can start Fairlead as another user: this is alice, and not ${wanted}`,
    );
  });
});
