/** One account pushes more keys than an edge has cells: values of other accounts are served all the same, also by an edge that starts afterwards. */
import { expect, test } from "vitest";
import { ask } from "../../../test/engine/states.ts";
import { atEnd } from "../../../test/machine/at-end.ts";
import { type Client, startApi } from "../../../test/service/api.ts";
import { startEdgeAt } from "../../../test/service/edge.ts";

const keys = 5000;
const pushes = 211;

async function source(by: Client, count: number): Promise<{ id: string; feeds: string[] }> {
  const { id } = await by.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
  const feeds: string[] = [];
  for (let n = 0; n < count; n++) {
    feeds.push(String((await by.must("PUT", `data/feeds/${id}`, { name: "f", config: { label: `l${n}` } }))["id"]));
  }
  return { id: String(id), feeds };
}

test("a million meaningless keys of one account change no answer of another", async () => {
  const api = await startApi();
  const start = async () => {
    const edge = await startEdgeAt(api.storeUrl);
    atEnd(() => edge.close());
    await edge.ready;
    const answer = () => ask({ ...edge.addresses[0]!, timeout: 3000 }, "www.victim.example A");
    return { edge, answer };
  };
  const served = await start();
  await api.must("PUT", "zones/victim.example", { zone: "victim.example" });
  const victim = await source(api, 2);
  await api.must("POST", `feed/${victim.id}`, { l0: { up: true }, l1: { up: true } });
  const answers = victim.feeds.map((feed, n) => ({ answer: [`192.0.2.${n + 1}`], meta: { up: { feed } } }));
  await api.must("PUT", "zones/victim.example/www.victim.example/A", {
    answers,
    filters: [{ filter: "up", config: {} }],
  });

  const stranger = await api.stranger();
  const flood = await source(stranger, pushes);
  for (const feed of flood.feeds) {
    const table = Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, n]));
    await stranger.must("POST", `feed/${feed}`, table);
  }
  const shown = await stranger.must("GET", `data/feeds/${flood.id}/${flood.feeds.at(-1)}`);
  expect(Object.keys(shown["data"] as object)).toHaveLength(keys);

  await api.must("POST", `feed/${victim.id}`, { l0: { up: false } });
  await api.must("POST", `feed/${victim.feeds[1]}`, { up: true, weight: 1 });
  const later = await start();
  for (const { edge, answer } of [served, later]) {
    await expect.poll(answer).toMatch(/192\.0\.2\.2/);
    expect(await answer()).not.toMatch(/192\.0\.2\.1\b/);
    expect(edge.status().live.unserved).toBe(0);
    expect(await edge.metrics()).toMatch(/^fairlead_edge_live_values 2$/m);
  }
});

test("a record that names a key answers with its last value from the start", async () => {
  const api = await startApi();
  const edge = await startEdgeAt(api.storeUrl);
  atEnd(() => edge.close());
  await edge.ready;
  await api.must("PUT", "zones/late.example", { zone: "late.example" });
  const { id, feeds } = await source(api, 20);
  await api.must("POST", `feed/${id}`, { up: false });
  for (const [n, feed] of feeds.entries()) {
    const answers = [
      { answer: ["192.0.2.1"], meta: { up: { feed } } },
      { answer: ["192.0.2.2"], meta: { up: true } },
    ];
    const name = `r${n}.late.example`;
    await api.must("PUT", `zones/late.example/${name}/A`, { answers, filters: [{ filter: "up", config: {} }] });
    const seen = new Set<string>();
    await expect
      .poll(
        async () => {
          const answer = await ask({ ...edge.addresses[0]!, timeout: 3000 }, `${name} A`);
          seen.add(answer);
          return answer;
        },
        { timeout: 60_000, interval: 1 },
      )
      .toMatch(/192\.0\.2\./);
    expect([...seen].join()).not.toMatch(/192\.0\.2\.1\b/);
  }
});
