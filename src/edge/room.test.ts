/** An edge whose zones need more memory than it may have. */
import { pino } from "pino";
import { expect, test } from "vitest";
import { baselineOf, changeSet, recordState, zoneState } from "../../test/states.ts";
import { EdgeState } from "./state.ts";

const zone = zoneState("large.example");
const small = zoneState("small.example");
const put = (label: string) =>
  ({ kind: "record", record: recordState(zone, `${label}.large.example`, "A", ["192.0.2.1"]) }) as const;

function start(memoryLimit: number) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  const state = new EdgeState({ log, memoryLimit, onImage: () => {}, onGrow: () => {} });
  return { state, lines };
}

const limit = 4 * 2 ** 20;
const manyRecords = (revision: number) =>
  changeSet(
    revision,
    Array.from({ length: 20_000 }, (_, n) => put(`n${revision}-${n}`)),
    { [zone.id]: revision },
  );

test("changes wait, whole, while there is no room; what is there is answered; the largest zones are named", async () => {
  const { state, lines } = start(limit);
  await state.start(baselineOf([zone, small], [put("www").record]));
  let revision = 1;
  while (state.room.has(state.image()!)) await state.apply([manyRecords(++revision)]);
  const before = state.stats().records;
  const waiting = state.apply([manyRecords(revision + 1)]);
  expect(state.room.isFull).toBe(true);
  expect(state.revision).toBe(revision);
  expect(state.stats().records).toBe(before);
  expect(lines).toEqual([
    expect.stringContaining(
      `"largest":[{"zone":"large.example","records":${before}},{"zone":"small.example","records":0}]`,
    ),
  ]);
  state.room.close();
  await expect(waiting).rejects.toThrow("aborted");
});

test("without a limit there is always room", async () => {
  const { state } = start(0);
  await state.start(baselineOf([zone], []));
  await state.apply([manyRecords(2)]);
  expect(state.room.isFull).toBe(false);
});
