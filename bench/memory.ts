/**
 * Memory of an edge with one UDP worker, one stream worker and one zone of 1,000,000 addresses, compared with NSD and Knot.
 * Also the image's largest size while two records of three are removed and their memory is freed.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { ImageWriter } from "../src/answer/image/writer/writer.ts";
import { bench } from "./kit/bench.ts";
import { startEdge } from "./kit/edge.ts";
import { temporary } from "./kit/files.ts";
import { ask, questionsIn } from "./kit/load.ts";
import { memoryOf, peakOf } from "./kit/memory.ts";
import { startPeers } from "./kit/peer.ts";
import { atMostPeers, type Row } from "./kit/rows.ts";
import { host, hostsZone, imageOf, writeZone, zone } from "./kit/zone.ts";
import { knot } from "./peers/knot.ts";
import { nsd } from "./peers/nsd.ts";

const name = "memory";
const factor = 0.8;
/** Records between two commits, and blocks that are compacted after each. */
const atOnce = 1000;

await bench((scale) =>
  temporary(async (directory): Promise<Row[]> => {
    const records = scale(1_000_000, 10_000);
    const held = hostsZone(records);
    const probe = `${host(records - 1)} A`;
    const questions = questionsIn(
      `${directory}/questions`,
      Array.from({ length: 100_000 }, (_, i) => `${host((i * 7919) % records)} A`),
    );
    const image = imageOf([held]);
    await using ours = await startEdge(image, probe);
    await using others = await startPeers([nsd, knot], writeZone(directory, held));
    const sizes = new Map<string, number>();
    for (const one of [ours, ...others.running]) {
      await ask(one.port, { questions, seconds: scale(5) });
      // memory that was freed before the first answer has been returned by now
      await delay(scale(5) * 1000);
      sizes.set(one.name, memoryOf(one.pids()));
    }
    const { Fairlead: size = 0, ...measured } = Object.fromEntries(sizes);
    const peers = { ...measured, ...others.missing };
    const row = { name, unit: "MB", peers: {}, target: "" };
    const { before, most, after } = emptied(image, records);
    return [
      {
        ...row,
        measure: `${records} records: in proportion`,
        ours: size,
        peers,
        ...atMostPeers(size, peers, ["NSD"], factor),
      },
      { ...row, measure: "greatest resident size since its start", ours: peakOf(ours.pids()[0]!) },
      { ...row, measure: "the image alone", ours: before },
      { ...row, measure: "the image while two records of three are removed: greatest", ours: most },
      { ...row, measure: "the image with a third of the records", ours: after },
    ];
  }),
);

/** Megabytes of the image before two records of three are removed, the maximum during the removal, and after it. */
function emptied(image: ImageWriter, records: number) {
  const size = () => image.stats().octets / 2 ** 20;
  const before = size();
  let most = before;
  const tidy = () => {
    const isMore = image.tidy(atOnce);
    most = Math.max(most, size());
    return isMore;
  };
  for (let i = 0; i < records; i++) {
    if (i % 3 > 0) image.removeRecord(zone.id, host(i), "A");
    if (i % atOnce > 0) continue;
    image.commit();
    tidy();
  }
  image.commit();
  while (tidy());
  return { before, most, after: size() };
}
