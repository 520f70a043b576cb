/** Compares the cost of an answer among 1,000 zones and among 1,000,000. */
import { bench } from "./kit/bench.ts";
import { flatness } from "./kit/flatness.ts";
import { address } from "./kit/zone.ts";

const nameOf = (i: number) => `z${String(i).padStart(7, "0")}.example`;

await bench(async (scale) => {
  const sizes = [1000, scale(1_000_000, 10_000)];
  const held = sizes.map((count) => ({
    count,
    *zones() {
      for (let i = 0; i < count; i++) {
        const apex = nameOf(i);
        yield { apex, records: () => [{ domain: `www.${apex}`, type: "A", answers: [address(i)] }] };
      }
    },
    question: (random: number) => `www.${nameOf(Math.floor(random * count))} A`,
    probe: `www.${nameOf(count - 1)} A`,
  }));
  return await flatness("zones", "zones", held, scale);
});
