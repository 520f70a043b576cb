/** `fairlead zone release` frees names that keep other accounts out. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../../test/machine/processes.ts";
import { type Answer, type Fields, startApi } from "../../../../test/service/api.ts";
import { node, tree } from "../../../../test/service/kit.ts";

const api = await startApi();
const other = await api.stranger();
const release = (name: string) =>
  run(node, [
    ...[join(tree, "bin/fairlead.js"), "zone", "release", name, "--yes"],
    ...["--database-url", api.storeUrl, "--data", api.directory],
  ]);
const message = ({ status, body }: Answer) => `${status} ${body["message"]}`;
const answers = [{ answer: ["192.0.2.1"] }];

test("a child zone no longer keeps out the owner of the domain", async () => {
  await other.must("PUT", "zones/sub.parent.example", {});
  await other.must("PUT", "zones/sub.parent.example/www.sub.parent.example/A", { answers });
  const make = () => api.call("PUT", "zones/parent.example", {});
  expect(message(await make())).toMatch(/^400 zone "parent.example" is above a zone of another account/);
  const unknown = await release("parent.example");
  expect([unknown.code, unknown.err]).toEqual([
    1,
    "fairlead: no account has the name parent.example; zones below it: sub.parent.example\n",
  ]);
  const { code, out, err } = await release("sub.parent.example");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^The zone sub\.parent\.example of other \(.*\) is deleted, and its name is free/);
  expect((await other.call("GET", "zones/sub.parent.example")).status).toBe(404);
  const [entry] = await other.must<Fields[]>("GET", "account/activity?limit=1");
  expect(entry).toMatchObject({ resource_type: "dns_zone", action: "release", user_name: "fairlead zone release" });
  // edges remove the zone: its change gets a revision from the running service
  const { body: change } = await api.store.db
    .selectFrom("change")
    .select("body")
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(change).toContain("zone_removed");
  expect((await make()).status).toBe(200);
  const undelete = await other.call("POST", "deletedzones/sub.parent.example/undelete");
  expect(message(undelete)).toMatch(/^400 zone "sub.parent.example" is below a zone of another account/);
});

test("a deleted zone gives up its name, and comes back with it while the name is free", async () => {
  await other.must("PUT", "zones/gone.example", {});
  await other.must("PUT", "zones/gone.example/www.gone.example/A", { answers });
  await other.must("DELETE", "zones/gone.example");
  expect(message(await api.call("PUT", "zones/gone.example", {}))).toBe("400 zone already exists");
  expect((await release("gone.example")).out).toMatch(/^The deleted zone gone\.example of other .* gave up its name/);
  await other.must("POST", "deletedzones/gone.example/undelete");
  await other.must("GET", "zones/gone.example/www.gone.example/A");
  expect(message(await api.call("PUT", "zones/gone.example", {}))).toBe("400 zone already exists");
  await other.must("DELETE", "zones/gone.example");
  expect((await release("GONE.example.")).code).toBe(0);
  await api.must("PUT", "zones/gone.example", {});
  expect(message(await other.call("POST", "deletedzones/gone.example/undelete"))).toBe("400 zone already exists");
  expect((await release("never.example")).err).toBe("fairlead: no account has the name never.example\n");
});
