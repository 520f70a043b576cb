/** A distant version: more records are restored, and removed again, than one message can hold. */
import { expect, test } from "vitest";
import { ask } from "../../../../test/engine/states.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { edgeBeside } from "../../../../test/service/edge.ts";

const api = await startApi({ deletionGuard: 100 });
const server = { ...(await edgeBeside(api)), timeout: 3000 };
const zone = "far.example";
const path = `zones/${zone}`;
/** More records than a change can have as steps. */
const records = 20_400;
/** Few enough to be removed within the time of a call on a busy machine. */
const atOnce = 300;
const patient = { timeout: 60_000, interval: 100 };

const answers = () =>
  Promise.all([`r0.${zone} A`, `r${records - 1}.${zone} A`, `steered.${zone} A`].map((name) => ask(server, name)));
const countOf = async () => {
  const { id } = await api.must("GET", path);
  const rows = api.store.db.selectFrom("record").where("zone_id", "=", String(id));
  return Number((await rows.select(({ fn }) => fn.countAll().as("count")).executeTakeFirstOrThrow()).count);
};

async function activate(id: unknown): Promise<void> {
  const reply = await api.call("POST", `${path}/versions/${id}/activate`);
  expect(reply.status, reply.text).toBe(200);
  await api.numbered(reply);
}

test("restoring a distant version, and then the later one, is one change each", async () => {
  const lines = ["@ 60 SOA ns.example. admin.example. 1 2 3 4 5", "@ 60 NS ns.example."];
  for (let n = 0; n < records; n++) lines.push(`r${n} 60 A 192.0.2.${n % 250}`);
  await api.must("PUT", `import/zonefile/${zone}`, `${lines.join("\n")}\n`);
  const filters = [{ filter: "select_first_n", config: { N: 1 } }];
  const steered = [{ answer: ["192.0.2.7"] }, { answer: ["192.0.2.8"] }];
  const put = await api.call("PUT", `${path}/steered.${zone}/A`, { answers: steered, filters });
  await api.numbered(put);
  const [full] = await api.must<Fields[]>("GET", `${path}/versions`);
  const before = [["NOERROR 192.0.2.0"], [`NOERROR 192.0.2.${(records - 1) % 250}`], ["NOERROR 192.0.2.7"]].flat();
  await expect.poll(answers, patient).toEqual(before);
  for (let at = 0; at < records; at += atOnce) {
    const remove = Array.from({ length: atOnce }, (_, i) => ({ domain: `r${at + i}.${zone}`, type: "A" }));
    // 404 when an earlier call removed them but the store was too busy to confirm it
    const status = async () => (await api.call("POST", `${path}/records`, { remove })).status;
    await expect.poll(status, patient).toBeOneOf([200, 404]);
  }
  // waits for the version of the last removal
  await api.must("PUT", `${path}/versions`);
  const [empty] = await api.must<Fields[]>("GET", `${path}/versions`);
  const after = ["NXDOMAIN", "NXDOMAIN", "NOERROR 192.0.2.7"];
  await expect.poll(answers, patient).toEqual(after);
  const count = await countOf();

  await activate(full!["id"]);
  await expect.poll(answers, patient).toEqual(before);
  expect(await countOf()).toBe(count + records);
  await activate(empty!["id"]);
  await expect.poll(answers, patient).toEqual(after);
  expect(await countOf()).toBe(count);
  expect((await api.must<Fields[]>("GET", `${path}/versions`)).slice(0, 2)).toMatchObject([
    { active: true, removed: records },
    { added: records },
  ]);
});
