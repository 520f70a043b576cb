/** A line chart over time, with marks of changes on its axis; the same figures are in a table for those who need one. */
import "uplot/dist/uPlot.min.css";
import { Box, Table, useComputedColorScheme, useMantineTheme, VisuallyHidden } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import UPlot from "uplot";
import { kitTexts } from "../text/kit.ts";
import { absolute, axisTimes, timeZone } from "./time.tsx";

export interface Line {
  readonly name: string;
  /** Pairs of a time in Unix seconds and a value, by time. */
  readonly points: readonly (readonly [number, number])[];
}

export interface Mark {
  /** Unix seconds. */
  readonly at: number;
  readonly text: string;
}

interface Props {
  readonly label: string;
  readonly lines: readonly Line[];
  readonly marks?: readonly Mark[];
  readonly height?: number;
  readonly unit?: string;
  /** Bars instead of lines: for counts of steps, of which each begins at its time. */
  readonly isStepped?: boolean;
}

const none: readonly Mark[] = [];
const colours = ["sea", "orange", "grape", "lime", "blue", "red"] as const;

export function Chart({ label, lines, marks = none, height = 220, unit = "", isStepped = false }: Props) {
  const { ref, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const theme = useMantineTheme();
  const scheme = useComputedColorScheme();

  useEffect(() => {
    if (!place.current || width === 0) return;
    const [ink, grid] = scheme === "dark" ? ["#c9c9c9", "#3b3b3b"] : ["#495057", "#e9ecef"];
    const colourOf = (at: number) => theme.colors[colours[at % colours.length]!]![scheme === "dark" ? 4 : 7]!;
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    const times = aligned(lines);
    const chart = new UPlot(
      {
        width,
        height,
        tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), timeZone()),
        axes: [
          { ...axis, space: 70, values: (_, times, _axis, _space, step) => axisTimes(times, step) },
          { ...axis, size: 64, values: (_, ticks) => ticks.map((value) => `${shortNumber(value)}${unit}`) },
        ],
        ...(isStepped && { scales: { x: { range: (_, from, until) => [from, until + stepOf(times[0])] } } }),
        series: [
          { value: (_, at) => (at === null ? "" : absolute(at)) },
          ...lines.map(({ name }, at) => ({
            label: name,
            stroke: colourOf(at),
            ...(isStepped && { fill: colourOf(at) }),
            width: 1.5,
            points: { show: false },
            ...(isStepped && bars),
          })),
        ],
        legend: { show: lines.length > 1 },
        hooks: { draw: [(drawn) => drawMarks(drawn, marks, ink)] },
      },
      times,
      place.current,
    );
    return () => chart.destroy();
  }, [width, height, lines, marks, scheme, theme, unit, isStepped]);

  return (
    // a chart has the width of its place, and must not keep the place from getting narrower
    <Box ref={ref} style={{ overflow: "hidden", contain: "inline-size" }}>
      <div ref={place} role="img" aria-label={kitTexts.chart(label)} />
      <VisuallyHidden>
        <Table>
          <Table.Tbody>
            {lines.flatMap(({ name, points }) =>
              points
                .filter((_, at) => at % Math.ceil(points.length / 24) === 0)
                .map(([at, value]) => (
                  <Table.Tr key={`${name}${at}`}>
                    <Table.Th>{absolute(at)}</Table.Th>
                    <Table.Td>
                      {name} {value}
                    </Table.Td>
                  </Table.Tr>
                )),
            )}
          </Table.Tbody>
        </Table>
      </VisuallyHidden>
    </Box>
  );
}

/** A number with at most three digits and a unit, such as 12.3k. */
export const shortNumber = (value: number): string =>
  new Intl.NumberFormat(undefined, { notation: "compact", maximumSignificantDigits: 3 }).format(value);

/** Each bar stands from its time to the next one. */
const bars = { paths: UPlot.paths.bars!({ size: [0.8], align: 1 }) };

/** The seconds between two times. */
const stepOf = ([first = 0, second = first]: ArrayLike<number> & Iterable<number>) => second - first;

/** The lines over one list of times; a line without a value at a time has a gap. */
function aligned(lines: readonly Line[]): UPlot.AlignedData {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(([at]) => at)))].sort((a, b) => a - b);
  const values = lines.map(({ points }) => {
    const known = new Map(points);
    return times.map((at) => known.get(at) ?? null);
  });
  return [times, ...values];
}

function drawMarks(chart: UPlot, marks: readonly Mark[], ink: string): void {
  const { ctx } = chart;
  const { left, top, width, height } = chart.bbox;
  ctx.save();
  ctx.fillStyle = ink;
  for (const { at } of marks) {
    const x = chart.valToPos(at, "x", true);
    if (x < left || x > left + width) continue;
    ctx.beginPath();
    ctx.moveTo(x, top + height);
    ctx.lineTo(x - 5, top + height + 9);
    ctx.lineTo(x + 5, top + height + 9);
    ctx.fill();
  }
  ctx.restore();
}
