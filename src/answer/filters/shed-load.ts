/** Reduces the load on answers that are near their limit. */
import { text } from "../../lib/fields.ts";
import { numberOf } from "../live/number.ts";
import { filter } from "./contract/filter.ts";

export const shedLoad = filter({
  id: "shed_load",
  shortdesc: "Remove answers that are overloaded",
  desc: "Keeps answers whose load is not above their <code>low_watermark</code>, and removes answers whose load is above their <code>high_watermark</code>. In between, the probability of removal grows evenly with the load. Answers without a load, or without <code>high_watermark</code>, stay.",
  tier: 3,
  kind: "eliminates",
  inputs: ["low_watermark", "high_watermark", "loadavg", "connections", "requests"],
  config: {
    metric: text({
      shortdesc: "Key of the load",
      desc: "The metadata that has the load: <code>loadavg</code>, <code>connections</code> or <code>requests</code>.",
      default: "loadavg",
      of: ["loadavg", "loadAvg", "connections", "requests"],
      required: true,
    }),
  },
  reason: ({ metric }, read) =>
    chanceToGo(numberOf(read(metric)), numberOf(read("low_watermark")), numberOf(read("high_watermark"))) === 1
      ? `${metric} is above high_watermark`
      : `${metric} is above low_watermark, and the answer was drawn to be removed`,
  compile: ({ metric }, record) => {
    const loads = record.numbers(metric);
    const lows = record.numbers("low_watermark");
    const highs = record.numbers("high_watermark");
    if (loads.isEmpty || highs.isEmpty) return undefined;
    return (selection, client) => {
      const { count } = selection;
      let kept = 0;
      for (let rank = 0; rank < count; rank++) {
        const answer = selection.answer(rank);
        const chance = chanceToGo(loads.at(answer), lows.at(answer), highs.at(answer));
        if (chance === 0 || client.random() >= chance) selection.move(rank, kept++);
      }
      selection.cut(kept);
    };
  },
});

/** The probability of removal. NaN means unset. A load up to `low` stays, even if `high` is below `low`. */
function chanceToGo(load: number, low: number, high: number): number {
  if (load > high && !(load <= low)) return 1;
  return load > low && load <= high ? (load - low) / (high - low) : 0;
}
