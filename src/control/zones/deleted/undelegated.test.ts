/** Deleted zones give up names that the public DNS delegates to nobody. */
import { expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Answer, startApi } from "../../../../test/service/api.ts";
import { silent } from "../../../../test/store/store.ts";
import { UndelegatedNames } from "./undelegated.ts";

const clock = fakeClock();
const api = await startApi({ clock });
const other = await api.stranger();
const message = ({ status, body }: Answer) => (status === 200 ? "200" : `${status} ${body["message"]}`);
const asked: string[] = [];
const undelegated = new Map<string, boolean>();
const freeing = new UndelegatedNames({
  store: api.store,
  clock,
  log: silent,
  names: {
    async isUndelegated(name) {
      asked.push(name);
      return undelegated.get(name);
    },
    serversOf: async () => undefined,
    delegationOf: async () => undefined,
    textsOf: async () => undefined,
    close() {},
  },
});
await freeing.close();
const turn = () => freeing.turn(new AbortController().signal);

async function deletedZone(name: string, isUndelegated: boolean | undefined) {
  if (isUndelegated !== undefined) undelegated.set(name, isUndelegated);
  await other.must("PUT", `zones/${name}`, {});
  await other.must("DELETE", `zones/${name}`);
}

test("a name that is delegated to nobody is free for other accounts, also above and below it", async () => {
  await deletedZone("sub.free.example", true);
  expect(message(await api.call("PUT", "zones/free.example", {}))).toMatch(/^400 .*above a zone of another account/);
  await turn();
  expect(message(await api.call("PUT", "zones/free.example", {}))).toBe("200");
  expect(message(await other.call("POST", "deletedzones/sub.free.example/undelete"))).toMatch(/^400 .*another account/);
});

test("the zone comes back with its name while nobody has taken it", async () => {
  await deletedZone("back.example", true);
  await turn();
  expect(message(await other.call("POST", "deletedzones/back.example/undelete"))).toBe("200");
  expect(message(await api.call("PUT", "zones/back.example", {}))).toBe("400 zone already exists");
  await turn();
  expect(message(await api.call("PUT", "zones/back.example", {}))).toBe("400 zone already exists");
});

test("a name that is delegated, or of which nothing is known, stays closed; it is asked for once a day", async () => {
  await deletedZone("delegated.example", false);
  await deletedZone("unknown.example", undefined);
  await turn();
  await turn();
  for (const name of ["delegated.example", "unknown.example"]) {
    expect(message(await api.call("PUT", `zones/${name}`, {}))).toBe("400 zone already exists");
    expect(asked.filter((one) => one === name)).toHaveLength(1);
  }
  undelegated.set("delegated.example", true);
  clock.advance(24 * 60 * 60_000);
  await turn();
  expect(message(await api.call("PUT", "zones/delegated.example", {}))).toBe("200");
});

test("a zone that its account made again keeps the name", async () => {
  await deletedZone("again.example", true);
  await other.must("PUT", "zones/again.example", {});
  await turn();
  expect(message(await api.call("PUT", "zones/again.example", {}))).toBe("400 zone already exists");
});
