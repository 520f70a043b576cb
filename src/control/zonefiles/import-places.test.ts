/** Places of imports whose files come slowly, and who may have them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { spool } from "../../lib/files/spool.ts";
import { ImportPlaces } from "./import-places.ts";

const least = { octets: 100, over: 1000 };
const full = "too many imports are waiting";
const tooSlow = "the file came too slowly while others waited for its place: send it again";

afterEach(() => void vi.useRealTimers());

/** A file whose client sends one piece, and nothing more. */
async function* stuck() {
  yield Buffer.from("$TTL 600\n");
  await new Promise(() => {});
}

test("a file that comes too slowly ends where another account needs its place, which is had at once", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const places = new ImportPlaces({ all: 2, own: 1 }, least);
  const [one, two] = [places.enter("one"), places.enter("two")];
  const directory = mkdtempSync(join(tmpdir(), "fairlead-imports-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const sending = spool(directory, one.file(stuck()));
  expect(() => places.enter("three")).toThrow(full);
  const slow = () => {
    vi.advanceTimersByTime(least.over);
    return one.isSlow;
  };
  await expect.poll(slow, { timeout: 10_000 }).toBe(true);
  expect(() => places.enter("one")).toThrow(full);
  const three = places.enter("three");
  await expect(sending).rejects.toThrow(tooSlow);
  // its place is another's now, whoever gives it back again
  one.leave();
  expect(() => places.enter("four")).toThrow(full);
  for (const place of [two, three]) place.leave();
  for (const account of ["four", "five"]) places.enter(account);
  expect(() => places.enter("six")).toThrow(full);
});

test("a file that has come is never slow, however long its import waits", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const places = new ImportPlaces({ all: 1, own: 1 }, least);
  const one = places.enter("one");
  const sent = async function* () {
    for (let n = 0; n < 3; n++) {
      vi.advanceTimersByTime(least.over);
      yield new Uint8Array(1);
    }
  };
  let octets = 0;
  for await (const piece of one.file(sent())) octets += piece.length;
  vi.advanceTimersByTime(least.over);
  expect([octets, one.isSlow]).toEqual([3, false]);
  expect(() => places.enter("two")).toThrow(full);
});

test("who takes no more of a file ends it", async () => {
  const ended = vi.fn();
  const sent = async function* () {
    try {
      for (;;) yield new Uint8Array(1);
    } finally {
      ended();
    }
  };
  for await (const _ of new ImportPlaces({ all: 1, own: 1 }, least).enter("one").file(sent())) break;
  expect(ended).toHaveBeenCalledOnce();
});
