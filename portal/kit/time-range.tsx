/** The choice of a period, kept in the address. */
import { SegmentedControl } from "@mantine/core";
import { kitTexts } from "../text/kit.ts";
import { useAddress } from "./address.ts";

export type Period = keyof typeof kitTexts.ranges;

export const isPeriod = (text: string): text is Period => Object.hasOwn(kitTexts.ranges, text);

/** The chosen period; a day unless the address says another. */
export function usePeriod(): readonly [Period, (period: string) => void] {
  const [period, setPeriod] = useAddress("period", "24h");
  return [isPeriod(period) ? period : "24h", setPeriod];
}

export function TimeRange() {
  const [period, setPeriod] = usePeriod();
  return (
    <SegmentedControl
      size="xs"
      aria-label={kitTexts.range}
      value={period}
      onChange={setPeriod}
      data={Object.entries(kitTexts.ranges).map(([value, label]) => ({ value, label }))}
    />
  );
}
