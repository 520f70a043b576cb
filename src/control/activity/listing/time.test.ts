/** Times that are accepted, and texts that are refused. */
import { describe, expect, test } from "vitest";
import { readTime } from "./time.ts";

const now = Date.UTC(2026, 10, 22, 1, 0, 0) / 1000;
const read = async (text: string, field: "start" | "end" = "start") =>
  new Date((await readTime(text, field, now)) * 1000).toISOString().replace(".000Z", "");

describe("times", () => {
  test.each([
    ["1700000000", "2023-11-14T22:13:20"],
    ["1700000000.9", "2023-11-14T22:13:20"],
    ["0", "1970-01-01T00:00:00"],
    ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05"],
    ["2026-01-02T03:04:05", "2026-01-02T03:04:05"],
    ["2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05"],
    ["2026-01-02 10:00", "2026-01-02T10:00:00"],
    ["now", "2026-11-22T01:00:00"],
    ["now-1d", "2026-11-21T01:00:00"],
    ["now - 2w", "2026-11-08T01:00:00"],
    ["NOW+1h", "2026-11-22T02:00:00"],
    ["now 1h", "2026-11-22T02:00:00"],
    ["2026-01-02T03:04:05 02:00", "2026-01-02T01:04:05"],
    ["2026-01-02T03:04:05 0200", "2026-01-02T01:04:05"],
    ["-7d", "2026-11-15T01:00:00"],
    ["-1d3h", "2026-11-20T22:00:00"],
    ["24h", "2026-11-21T01:00:00"],
    ["30m", "2026-11-22T00:30:00"],
    ["1mo", "2026-10-22T01:00:00"],
    ["5 minutes ago", "2026-11-22T00:55:00"],
    ["a day ago", "2026-11-21T01:00:00"],
    ["last 24 hours", "2026-11-21T01:00:00"],
    ["yesterday at 3pm", "2026-11-21T15:00:00"],
  ])("%s is an instant", async (text, at) => {
    expect([await read(text), await read(text, "end")]).toEqual([at, at]);
  });

  test.each([
    ["2026-01-31", "2026-01-31"],
    ["1 Jan 2026", "2026-01-01"],
    ["yesterday", "2026-11-21"],
    ["today", "2026-11-22"],
  ])("%s is a day: its first second as a start, its last as an end", async (text, day) => {
    expect([await read(text), await read(text, "end")]).toEqual([`${day}T00:00:00`, `${day}T23:59:59`]);
  });
});

test.each([
  ...[
    "abc",
    " ",
    "now-",
    "-1M",
    "now-3M",
    "--1d",
    "-7",
    "1e9",
    "Infinity",
    "2026-13-01",
    "2026-02-30",
    "2026-01-01T25:00:00Z",
    "2026-W03",
  ],
  ...[
    "2026",
    "20260101",
    "2026-01-01 +1d",
    "1700000000000",
    "01/02/2026",
    "01.02.2026",
    "01-02-26 10:00",
    "2026/13/01",
    "monday",
    "last week",
    "noon",
    "Jan 5",
    "yesterday morning",
  ],
  ...["tonight", "from 1 to 2 pm", "yesterday at 3pm EST", "1969-01-01", "-99999999d", "now now"],
])("%s is refused, and the message quotes it", async (text) => {
  const refusal = expect.stringMatching(/^end: ".*" (is|could|has|contains)/);
  await expect(readTime(text, "end", now)).rejects.toMatchObject({ code: "invalid", message: refusal });
});

// the longest text would take minutes if parsing were tried at each of its characters
test.each([
  ["of digits", "9".repeat(400)],
  ["with many spaces", `now${" ".repeat(100_000)}1d`],
  ["almost of days and hours", "1T".repeat(100_000)],
])("a long text %s is refused before it is parsed", async (_, text) => {
  const message = `start: "${text.slice(0, 60)}" is too long for a time`;
  await expect(readTime(text, "start", now)).rejects.toMatchObject({ code: "invalid", message });
});
