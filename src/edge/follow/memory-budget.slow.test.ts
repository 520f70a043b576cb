/** An edge whose zones need more memory than its limit. */
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { baselineOf, changeSet, recordState, zoneState } from "../../../test/engine/states.ts";
import type { Change, ZoneState } from "../../sync/change.ts";
import { EdgeState } from "./state.ts";

const large = zoneState("large.example");
const small = zoneState("small.example");
const put = (zone: ZoneState, label: string): Change => ({
  kind: "record",
  record: recordState(zone, `${label}.${zone.zone}`, "A", ["192.0.2.1"]),
});
const removal = (zone: ZoneState, label: string): Change => ({
  kind: "record_removed",
  zone_id: zone.id,
  domain: `${label}.${zone.zone}`,
  type: "A",
});
const set = (revision: number, zone: ZoneState, ...changes: Change[]) =>
  changeSet(revision, changes, { [zone.id]: revision });

function start(memoryLimit: number) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  const state = new EdgeState({ log, memoryLimit, onImage: () => {}, onGrow: () => {} });
  return { state, lines };
}

const limit = 2 * 2 ** 20;
const many = 4000;
const manyRecords = (revision: number) =>
  set(revision, large, ...Array.from({ length: many }, (_, n) => put(large, `n${revision}-${n}`)));

/** Fills the memory; returns the last applied revision. */
async function fill(state: EdgeState): Promise<number> {
  await state.start(baselineOf([large, small], []));
  let revision = 1;
  state.apply([set(++revision, small, put(small, "a"), put(small, "b"))]);
  while (state.memory.allows(state.image()!)) state.apply([manyRecords(++revision)]);
  return revision;
}

test("at the limit, sets that need memory wait as a whole, and the log names the largest zones", async () => {
  const { state, lines } = start(limit);
  const revision = await fill(state);
  const before = state.stats().records;
  state.apply([manyRecords(revision + 1)]);
  expect([state.memory.isFull, state.waiting]).toEqual([true, 1]);
  expect([state.revision, state.stats().records]).toEqual([revision, before]);
  expect(lines).toEqual([
    expect.stringContaining(
      `"largest":[{"zone":"large.example","records":${before - 2}},{"zone":"small.example","records":2}]`,
    ),
  ]);
  state.memory.close();
  await vi.waitFor(() => expect(() => state.applied()).toThrow("aborted"));
});

test("sets that free memory are applied; if their zone has waiting sets, once its sets together free memory", async () => {
  const { state } = start(limit);
  const revision = await fill(state);
  const before = state.stats().records;
  state.apply([set(revision + 1, large, put(large, "one"))]);
  state.apply([set(revision + 2, small, removal(small, "a"))]);
  expect([state.revision, state.waiting, state.stats().records]).toEqual([revision, 1, before - 1]);
  state.apply([set(revision + 3, large, put(large, "two"), removal(large, "n3-0"))]);
  expect([state.waiting, state.stats().records]).toEqual([2, before - 1]);
  state.apply([set(revision + 4, large, removal(large, "n3-1"), removal(large, "one"))]);
  expect([state.revision, state.waiting, state.stats().records]).toEqual([revision + 4, 0, before - 2]);
  state.memory.close();
});

test("the removal of a zone with waiting sets frees memory for other zones", async () => {
  const { state, lines } = start(limit);
  const revision = await fill(state);
  state.apply([manyRecords(revision + 1), set(revision + 2, small, put(small, "c"))]);
  expect(state.waiting).toBe(2);
  state.apply([changeSet(revision + 3, [{ kind: "zone_removed", zone_id: large.id }], {})]);
  expect([state.waiting, state.stats().records]).toEqual([1, 2]);
  while (!state.memory.allows(state.image()!)) state.image()!.tidy(1000);
  await vi.waitFor(() => expect(state.applied()).toBe(revision + 3), 10_000);
  expect([state.waiting, state.memory.isFull, state.stats().records]).toEqual([0, false, 3]);
  expect(lines.at(-1)).toContain("memory is available for changes again");
});

test("without a limit no set waits for memory", async () => {
  const { state } = start(0);
  await state.start(baselineOf([large], []));
  state.apply([manyRecords(2)]);
  expect([state.memory.isFull, state.revision]).toEqual([false, 2]);
});
