/** A zone too large for one message is brought back at a running edge, including records that parts cannot hold. */
import { expect, test } from "vitest";
import { ask } from "../../../../test/engine/states.ts";
import { startApi } from "../../../../test/service/api.ts";
import { edgeBeside } from "../../../../test/service/edge.ts";

const api = await startApi();
const server = { ...(await edgeBeside(api)), timeout: 3000 };
const zone = "large.example";

test("records with and without filters are served again", async () => {
  const lines = ["@ 60 SOA ns.example. admin.example. 1 2 3 4 5", "twice 60 A 192.0.2.1", "twice 60 A 192.0.2.2"];
  for (let n = 0; n < 6000; n++) lines.push(`r${n} 60 A 192.0.2.${n % 250}`);
  await api.must("PUT", `import/zonefile/${zone}`, `${lines.join("\n")}\n`);
  const first = (address: string) => ({ answer: [address] });
  const filters = [{ filter: "select_first_n", config: { N: 1 } }];
  const steered = { ttl: 60, answers: [first("192.0.2.7"), first("192.0.2.8")], filters };
  await api.must("PUT", `zones/${zone}/steered.${zone}/A`, steered);
  await api.must("PUT", `zones/${zone}/${zone}/ALIAS`, { answers: [{ answer: [`r3.${zone}`] }] });
  const expected = {
    [`r5999.${zone} A`]: "NOERROR 192.0.2.249",
    [`twice.${zone} A`]: "NOERROR 192.0.2.1 192.0.2.2",
    [`steered.${zone} A`]: "NOERROR 192.0.2.7",
    [`${zone} A`]: "NOERROR 192.0.2.3",
  };
  const answers = async () =>
    Object.fromEntries(await Promise.all(Object.keys(expected).map(async (name) => [name, await ask(server, name)])));
  await expect.poll(answers).toEqual(expected);
  await api.must("DELETE", `zones/${zone}`);
  await expect.poll(() => ask(server, `r1.${zone} A`)).toBe("REFUSED");
  const { headers } = await api.call("POST", `deletedzones/${zone}/undelete`);
  const parts = api.store.db.selectFrom("change_part").where("load_id", "=", headers.get("x-fairlead-change")!);
  expect(await parts.select("part").execute()).toHaveLength(2);
  await expect.poll(answers).toEqual(expected);
});
