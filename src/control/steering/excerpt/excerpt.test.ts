/** An excerpt has other accounts' served zones; their unserved zones are like none, and cost the same work. */
import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { startApi } from "../../../../test/service/api.ts";
import { locateNobody } from "../../../answer/chain/unknown.ts";
import { printRecord } from "../../../dns/reply.ts";
import { TypeCode } from "../../../dns/wire/constants.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { atlas } from "../../../geo/facts/atlas.ts";
import { Excerpt } from "./excerpt.ts";

const api = await startApi();
const other = await api.stranger();
const answers = (...list: string[]) => ({ answers: list.map((answer) => ({ answer: [answer] })) });

await api.must("PUT", "zones/own.example", {});
const { account_id } = await api.store.db.selectFrom("zone").select("account_id").executeTakeFirstOrThrow();
await other.must("PUT", "zones/served.example", {});
await other.must("PUT", "zones/unserved.example", { networks: [] });
await other.must("PUT", "zones/disabled.example", { disabled: true });
for (const zone of ["served.example", "unserved.example", "disabled.example"]) {
  await other.must("PUT", `zones/${zone}/www.${zone}/A`, answers("192.0.2.1"));
}
await other.must("PUT", "zones/served.example/linked.served.example/A", { link: "www.unserved.example" });

/** The answer of the name, and the statements and rows that it took. */
async function ask(name: string) {
  let [statements, rows] = [0, 0];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements++;
      rows += result.rows.length;
      return result;
    },
  };
  const excerpt = new Excerpt(
    { db: api.store.db.withPlugin(counting), account_id },
    { now: 0, locate: locateNobody, atlas },
  );
  const question = {
    name: nameFromApi(name),
    type: TypeCode.A,
    sender: { family: 4, address: new Uint8Array(16) },
  } as const;
  const { reply } = await excerpt.ask(question, 1);
  return { answer: reply.answer.map(printRecord), work: { statements, rows } };
}

for (const type of ["CNAME", "ALIAS"] as const) {
  const label = type.toLowerCase();
  const lead = async (to: string) => {
    const name = `${label}-${to.replaceAll(".", "-")}.own.example`;
    await putRecord(name, type, to);
    return await ask(name);
  };
  test(`a ${type} leads into served zones of other accounts`, async () => {
    const { answer } = await lead("www.served.example");
    expect(answer.at(-1)).toMatch(/A 192\.0\.2\.1$/);
    expect((await lead("linked.served.example")).answer.at(-1)).toMatch(/A 192\.0\.2\.1$/);
  });
  test(`behind a ${type}, an unserved zone of another account is like none`, async () => {
    const none = await lead("www.nothing.example");
    for (const zone of ["unserved.example", "disabled.example"]) {
      for (const label of ["www", "not"]) expect((await lead(`${label}.${zone}`)).work).toEqual(none.work);
    }
  });
}

/** Writes a record past the checks of the API, as for a target that was served earlier. */
async function putRecord(name: string, type: string, to: string) {
  await api.must("PUT", `zones/own.example/${name}/${type}`, answers("www.served.example"));
  const stored = JSON.stringify([{ id: "1", answer: [to] }]);
  await api.store.db.updateTable("record").set({ answers: stored }).where("domain", "=", name).execute();
}
