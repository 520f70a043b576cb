/** Weights that give no answer a chance. */
import { numberOf } from "../../../../answer/live/number.ts";
import { filterField, isLive, rule } from "./rule.ts";

export const weightsZero = rule({
  code: "weights_zero",
  check: ({ links }) =>
    links.flatMap((link) => {
      const weights = link.inputs.get("weight")?.filter((entry) => entry !== undefined) ?? [];
      if (weights.length === 0 || isLive(link)) return [];
      if (weights.some(({ value }) => numberOf(value) > 0)) return [];
      const message = `no weight is above 0, so ${link.filter.id} leaves the answers in their order`;
      return [{ field: filterField(link), message }];
    }),
});
