/** A region without answers. */
import { rule } from "./rule.ts";

export const unusedRegion = rule({
  code: "unused_region",
  check({ record: { answers, regions } }) {
    const used = new Set(answers.map(({ region }) => region));
    return Object.keys(regions)
      .filter((name) => !used.has(name))
      .map((name) => ({ field: `regions.${name}`, message: `no answer is in the region "${name}"` }));
  },
});
