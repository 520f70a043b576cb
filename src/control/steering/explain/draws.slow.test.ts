/** Explain with many draws. */
import { expect, test } from "vitest";
import { startApi } from "../../../../test/service/api.ts";
import type { Explanation } from "./schema.ts";

const api = await startApi();
const zone = "draws.example";
const name = `mixed.${zone}`;

test("does not block other requests during draws, and limits the number of answers", async () => {
  await api.must("PUT", `zones/${zone}`, {});
  await api.must("PUT", `zones/${zone}/${name}/A`, {
    answers: Array.from({ length: 100 }, (_, i) => ({ answer: [`198.51.100.${i}`] })),
    filters: [{ filter: "shuffle", config: {} }],
  });
  let turns = 0;
  const others = setInterval(() => turns++, 1);
  const before = process.threadCpuUsage();
  const few = await api.must<Explanation>("POST", "explain", { name, draws: 4, matrix: true });
  expect(few.matrix?.["US"]).toHaveLength(4);
  const { body } = await api.call("POST", "explain", { name, draws: 100_000 });
  expect(body["message"]).toMatch(/^draws: the answers differ too much/);
  clearInterval(others);
  const { user, system } = process.threadCpuUsage(before);
  // milliseconds of work between two pauses for other requests
  expect((user + system) / 1000 / turns).toBeLessThan(25);
});
