/** A pushed value changes the next answer, without a change of the record or its zone. */
import { expect, test } from "vitest";
import { steeredRecord, TestImage } from "../../../test/scenarios/image.ts";
import { LiveReader } from "../live/reader.ts";
import { LiveTable } from "../live/table.ts";

const zone = "example.com";
const filters = [
  { filter: "up", config: {} },
  { filter: "priority", config: {} },
  { filter: "select_first_n", config: {} },
];

function setUp(maxAge: number | null = null, fallback: Record<string, unknown> | null = null) {
  const table = new LiveTable();
  const live = new LiveReader(table.share());
  const image = new TestImage({ live }).put(zone, ["@ 300 NS ns1.example.com."]);
  const answers = [1, 2].map((n) => ({
    answer: [`192.0.2.${n}`],
    meta: { up: { feed: `up${n}` }, priority: { feed: `up${n}` } },
  }));
  image.writer.putRecord(steeredRecord(zone, { type: "A", answers, filters }));
  image.writer.commit();
  const push = (feed_id: string, data: Record<string, unknown> | null) =>
    table.put([{ feed_id, data, at: live.now, max_age: maxAge, fallback }]);
  const first = () => image.ask(`www.${zone}. A`).answer.map((line) => Number(line.at(-1)));
  return { push, first, live };
}

test("a changed value changes the next answer, and so does a new or removed feed", () => {
  const { push, first } = setUp();
  expect(first()).toEqual([1]);
  push("up2", { up: true });
  expect(first()).toEqual([2]);
  push("up1", { up: true, priority: 1 });
  push("up2", { up: true, priority: 2 });
  expect(first()).toEqual([1]);
  push("up1", { up: "0", priority: 1 });
  expect(first()).toEqual([2]);
  push("up2", null);
  push("up1", { up: 1 });
  expect(first()).toEqual([1]);
});

test("the fallback of a feed replaces an expired value", () => {
  const { push, first, live } = setUp(60, { up: false });
  push("up1", { up: true, priority: 1 });
  push("up2", { up: true, priority: 2 });
  expect(first()).toEqual([1]);
  live.now += 59_000;
  push("up2", { up: true, priority: 2 });
  live.now += 2000;
  expect(first()).toEqual([2]);
});

test("many feeds are added after the chain was compiled", () => {
  const { push, first } = setUp();
  expect(first()).toEqual([1]);
  for (let i = 0; i < 2000; i++) push(`other${i}`, { up: true });
  push("up2", { up: true });
  expect(first()).toEqual([2]);
});
