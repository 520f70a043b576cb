/** 10,000,000 addresses in one zone: loading, answers and memory. */

import { seededRandom } from "../test/machine/random.ts";
import { bench } from "./kit/bench.ts";
import { inTurns } from "./kit/contender.ts";
import { startEdge } from "./kit/edge.ts";
import { temporary } from "./kit/files.ts";
import { questionsIn } from "./kit/load.ts";
import { memoryOf } from "./kit/memory.ts";
import type { Row } from "./kit/rows.ts";
import { host, hostsZone, imageOf } from "./kit/zone.ts";

await bench((scale) =>
  temporary(async (directory): Promise<Row[]> => {
    const records = scale(10_000_000, 10_000);
    const random = seededRandom(1);
    const drawn = Array.from({ length: 500_000 }, () => `${host(Math.floor(random() * records))} A`);
    const questions = questionsIn(`${directory}/questions`, drawn);
    const began = performance.now();
    const image = imageOf([hostsZone(records)]);
    const loaded = records / ((performance.now() - began) / 1000);
    await using ours = await startEdge(image, `${host(records - 1)} A`);
    const costs = await inTurns([ours], scale(3), () => ({ questions, seconds: scale(5) }));
    const { perSecond, total } = costs.get("Fairlead")!;
    const common = { name: "ten-million", peers: {}, target: "" };
    return [
      { ...common, measure: `${records} records: taken into an image`, unit: "/s", ours: loaded },
      { ...common, measure: "CPU time", unit: "us a query", ours: total },
      { ...common, measure: "answers", unit: "/s", ours: perSecond },
      { ...common, measure: "memory of the edge", unit: "MB", ours: memoryOf(ours.pids()) },
    ];
  }),
);
