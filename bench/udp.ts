/** The batched and the portable UDP listener, with a service that only turns queries into empty answers. */
import { bench } from "./kit/bench.ts";
import { inTurns } from "./kit/contender.ts";
import { startEcho } from "./kit/echo.ts";
import { temporary } from "./kit/files.ts";
import { questionsIn } from "./kit/load.ts";
import type { Row } from "./kit/rows.ts";
import { host } from "./kit/zone.ts";

await bench((scale) =>
  temporary(async (directory): Promise<Row[]> => {
    const questions = questionsIn(
      `${directory}/questions`,
      Array.from({ length: 10_000 }, (_, i) => `${host(i)} A`),
    );
    await using batched = await startEcho("batched");
    await using portable = await startEcho("portable");
    const costs = await inTurns([batched, portable], scale(3), () => ({ questions, seconds: scale(4) }));
    return [...costs].map(([listener, { total }]) => ({
      ...{ name: "udp", measure: `${listener}: CPU time of an empty answer`, unit: "us a query", ours: total },
      ...{ peers: {}, target: "" },
    }));
  }),
);
