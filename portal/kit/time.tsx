/** Times: relative in view, absolute on hover, by locale and in the zone that the user chose. */
import { Text, type TextProps } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { kitTexts } from "../text/kit.ts";

const zoneKey = "time-zone";

export const browserZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The IANA name of the chosen zone; the browser's zone unless the user chose another. */
export const timeZone = (): string => localStorage.getItem(zoneKey) ?? browserZone;

/** Chooses a zone for this browser; undefined for the browser's own. */
export function chooseTimeZone(name: string | undefined): void {
  if (name === undefined) localStorage.removeItem(zoneKey);
  else localStorage.setItem(zoneKey, name);
}

const looks = {
  whole: { dateStyle: "medium", timeStyle: "long" },
  clock: { timeStyle: "medium" },
  minute: { timeStyle: "short" },
  day: { dateStyle: "medium" },
  shortDay: { day: "numeric", month: "short" },
} as const;

/** The formats of each zone: making one takes longer than many uses of it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(look: keyof typeof looks, zone: string): Intl.DateTimeFormat {
  const key = `${look} ${zone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(undefined, { ...looks[look], timeZone: zone });
  formats.set(key, format);
  return format;
}

/** A time in Unix seconds as text with date, time and zone. */
export const absolute = (seconds: number): string => formatOf("whole", timeZone()).format(seconds * 1000);

/** A time in Unix seconds as the time of the day. */
export const clockTime = (seconds: number): string => formatOf("clock", timeZone()).format(seconds * 1000);

/** A time in Unix seconds as a day. */
export const day = (seconds: number): string => formatOf("day", timeZone()).format(seconds * 1000);

const wholeDay = 86_400;

/** The texts below an axis of times that are `step` seconds apart: days, or times with the day where it begins. */
export function axisTimes(times: readonly number[], step: number): string[] {
  const textOf = (look: "minute" | "shortDay", at: number) => formatOf(look, timeZone()).format(at * 1000);
  return times.map((at, index) => {
    const date = textOf("shortDay", at);
    if (step >= wholeDay) return date;
    const before = times[index - 1];
    const isNew = before === undefined || textOf("shortDay", before) !== date;
    return `${textOf("minute", at)}${isNew ? `\n${date}` : ""}`;
  });
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

const distances = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** The distance of a time from now, such as "3 hours ago" or "in 2 days". */
export function relative(seconds: number, now = Date.now() / 1000): string {
  const distance = seconds - now;
  const [unit, length] = steps.find(([, one]) => Math.abs(distance) >= one) ?? ["second", 0];
  if (length === 0) return kitTexts.justNow;
  return distances.format(Math.round(distance / length), unit);
}

/** A length of time in the largest unit that fits, such as "5 min". */
export function duration(seconds: number): string {
  const [unit, length] = steps.find(([, one]) => seconds >= one) ?? ["second", 1];
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: 1,
  }).format(seconds / length);
}

/** The current time in Unix seconds; the component is drawn again each `every` milliseconds. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now() / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** Milliseconds between two looks at the clock by all times of a page. */
const tick = 10_000;
const watchers = new Set<() => void>();
setInterval(() => {
  for (const watcher of watchers) watcher();
}, tick);

function watchClock(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** A time in Unix seconds, whose distance follows the clock. */
export function Time({ at, ...props }: { readonly at: number | null | undefined } & TextProps) {
  const distance = useSyncExternalStore(watchClock, () => (at ? relative(at) : ""));
  if (!at)
    return (
      <Text inherit component="span" {...props}>
        {kitTexts.never}
      </Text>
    );
  return (
    <Text
      inherit
      component="time"
      // the browser's own: long lists have hundreds, and each of the library's costs as much as a row
      title={absolute(at)}
      dateTime={new Date(at * 1000).toISOString()}
      {...props}
    >
      {distance}
    </Text>
  );
}

/** A time of the chosen zone as a field for times has it, such as "2026-01-31T12:00". */
export function localTime(seconds: number): string {
  const parts = new Intl.DateTimeFormat("en", {
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
    hourCycle: "h23",
    timeZone: timeZone(),
  }).formatToParts(seconds * 1000);
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

/** The Unix seconds of such a time; undefined if it is none. */
export function secondsOf(local: string): number | undefined {
  const asUtc = Date.parse(`${local}Z`) / 1000;
  if (Number.isNaN(asUtc)) return undefined;
  const offset = (seconds: number) => Date.parse(`${localTime(seconds)}Z`) / 1000 - seconds;
  const guess = asUtc - offset(asUtc);
  // the offset changes in between when clocks are put forward or back
  return asUtc - offset(guess);
}
