/** Compares the cost of an answer in a zone of 1,000 addresses and in one of 1,000,000. */
import { bench } from "./kit/bench.ts";
import { flatness } from "./kit/flatness.ts";
import { host, hostsZone } from "./kit/zone.ts";

await bench(async (scale) => {
  const sizes = [1000, scale(1_000_000, 10_000)];
  const held = sizes.map((count) => ({
    count,
    zones: () => [hostsZone(count)],
    question: (random: number) => `${host(Math.floor(random * count))} A`,
    probe: `${host(count - 1)} A`,
  }));
  return await flatness("records", "records in one zone", held, scale);
});
