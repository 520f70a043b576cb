/** A steered record, and the delay of another account's reads while somebody simulates it without pause. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { output } from "../../test/machine/processes.ts";
import { node, type Service, tree } from "../../test/service/kit.ts";
import { type ApiAccess, apiClient } from "./client.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./rows.ts";
import { apex } from "./zone.ts";

export const steered = `www.${apex}`;

const regions = { eu: ["EUROPE", "AFRICA"], us: ["US-EAST", "US-CENTRAL", "US-WEST"], as: ["ASIAPAC"] };

export const steeredRecord = {
  ttl: 30,
  regions: Object.fromEntries(Object.entries(regions).map(([name, georegion]) => [name, { meta: { georegion } }])),
  answers: Object.keys(regions).flatMap((region, at) =>
    [1, 2, 3, 4].map((last) => ({ answer: [`192.0.${at}.${last}`], region, meta: { up: true, weight: last } })),
  ),
  filters: [
    ...["up", "geotarget_regional", "select_first_region", "weighted_shuffle"].map((filter) => ({ filter })),
    { filter: "select_first_n", config: { N: 1 } },
  ],
};

/** The questions of one page: each is asked again as soon as it is answered. */
const questions = [
  { editor: "bench-client", client: "192.0.2.7", draws: 1000 },
  { editor: "bench-map", matrix: true, draws: 20 },
];
const rounds = 3;
/** The delay at most, in relation to that of a service in which nobody simulates. */
const mostTimes = 1.5;

export async function besideSimulator(running: Service, seconds: number): Promise<Row[]> {
  const other = await otherAccount(running);
  const quiet: number[] = [];
  const busy: number[] = [];
  for (let n = 0; n < rounds; n++) {
    quiet.push(...(await readFor(seconds, other)));
    const stop = simulate(running);
    busy.push(...(await readFor(seconds, other)));
    await stop();
  }
  return [rowOf("p50", 0.5, quiet, busy), rowOf("p99", 0.99, quiet, busy)];
}

function rowOf(label: string, share: number, quiet: readonly number[], busy: readonly number[]): Row {
  const [alone, beside] = [shareOf(quiet, share), shareOf(busy, share)];
  return {
    ...{ name: "portal", measure: `reads of another account while one simulates: ${label}`, unit: "ms", ours: beside },
    ...{ peers: { "nobody simulates": alone }, target: `at most ${mostTimes} times that` },
    met: beside <= alone * mostTimes,
  };
}

const shareOf = (times: readonly number[], share: number) =>
  percentile(
    times.toSorted((a, b) => a - b),
    share,
  );

/** A second account with a zone. */
async function otherAccount({ data, url }: Service): Promise<ApiAccess> {
  const file = join(data, "other-key");
  const command = ["account", "create", "other", "--key-file", file, "--data", data];
  await output(node, [join(tree, "bin/fairlead.js"), ...command]);
  const { key } = JSON.parse(readFileSync(file, "utf8")) as { readonly key: string };
  const { call, close } = await apiClient({ url, key });
  await call({ method: "PUT", path: "zones/other.example", body: { zone: "other.example" } });
  close();
  return { url, key };
}

/** Milliseconds of reads, for some seconds, one after another. */
async function readFor(seconds: number, api: ApiAccess): Promise<number[]> {
  const { call, close } = await apiClient(api);
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const sent = performance.now();
    await call({ method: "GET", path: "zones/other.example" });
    times.push(performance.now() - sent);
  }
  close();
  return times;
}

/** Asks without pause; returns a function that ends this. */
function simulate(running: Service): () => Promise<void> {
  let isDone = false;
  const asking = questions.map(async (question) => {
    const body = {
      ...question,
      ...{
        name: steered,
        type: "A",
        records: [{ ...steeredRecord, action: "put", zone: apex, domain: steered, type: "A" }],
      },
    };
    while (!isDone) await running.must("POST", "explain", body);
  });
  return async () => {
    isDone = true;
    await Promise.all(asking);
  };
}
