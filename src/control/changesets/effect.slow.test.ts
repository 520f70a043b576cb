/** The effect of a change set is shown up to the size limit of a reply. */
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../test/service/api.ts";

const api = await startApi();

test("a dry run shows answers by country up to a size limit", async () => {
  const zone = "long.example";
  await api.must("PUT", `zones/${zone}`, {});
  const record = (i: number) => ({
    ...{ action: "put", zone, domain: `r${i}.${zone}`, type: "TXT" },
    answers: Array.from({ length: 60 }, (_, n) => ({ answer: [`${n} `.padEnd(250, "x")] })),
    filters: [{ filter: "select_first_n", config: { N: 60 } }],
  });
  const records = [record(1), record(2)];
  const answer = await api.call("PUT", "changesets?dry_run=true", { records });
  const { cells, complete } = answer.body["effect"] as { cells: Fields[]; complete: boolean };
  expect([answer.status, complete, cells.length > 0]).toEqual([200, false, true]);
  expect(answer.text.length).toBeLessThan(4_500_000);
});
