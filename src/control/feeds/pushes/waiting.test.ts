/** Feeds that wait to be published: the time when they are due, the size of a message, and the notes that are finished. */
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type DeferredFeed, WaitingFeeds } from "./waiting.ts";

const quietFor = 100;

const feed = (feed_id: string, octets = 10): DeferredFeed => ({ account_id: "account", feed_id, octets });
const many = (count: number, octets: number) => Array.from({ length: count }, (_, n) => feed(`feed${n}`, octets));
const idsOf = (feeds: readonly DeferredFeed[]) => feeds.map(({ feed_id }) => feed_id);

function waiting() {
  const clock = fakeClock();
  return { clock, feeds: new WaitingFeeds(clock) };
}

describe("a feed", () => {
  test("is quiet when it was not published recently and nothing waits", () => {
    const { clock, feeds } = waiting();
    expect(feeds.isQuiet(feed("a"))).toBe(true);
    feeds.published([feed("a")]);
    clock.advance(quietFor - 1);
    expect([feeds.isQuiet(feed("a")), feeds.isQuiet(feed("b"))]).toEqual([false, true]);
    clock.advance(1);
    expect(feeds.isQuiet(feed("a"))).toBe(true);
    feeds.add("note", [feed("a")]);
    expect(feeds.isQuiet(feed("a"))).toBe(false);
  });

  test("is due 100 ms after it was published, or when the clock was set back", () => {
    const { clock, feeds } = waiting();
    feeds.published([feed("a"), feed("b")]);
    feeds.add("note", [feed("a"), feed("c")]);
    expect(idsOf(feeds.take())).toEqual(["c"]);
    clock.advance(quietFor);
    expect(idsOf(feeds.take())).toEqual(["a"]);
    feeds.add("next", [feed("a")]);
    expect(feeds.take()).toEqual([]);
    clock.advance(-1);
    expect(idsOf(feeds.take())).toEqual(["a"]);
  });

  test("is taken once for all notes that name it", () => {
    const { feeds } = waiting();
    feeds.add("first", [feed("a", 10)]);
    feeds.add("second", [feed("a", 20)]);
    expect(feeds.take()).toEqual([{ ...feed("a", 20), notes: ["first", "second"] }]);
    expect([feeds.take(), feeds.isEmpty]).toEqual([[], true]);
  });
});

describe("one message", () => {
  const kibibyte = 1024;
  test.each([
    { what: "250 feeds", given: many(251, 1), counts: [250, 1] },
    { what: "256 KiB", given: many(9, kibibyte * 64), counts: [4, 4, 1] },
    { what: "one feed, however large", given: many(2, kibibyte * 300), counts: [1, 1] },
  ])("holds $what", ({ given, counts }) => {
    const { feeds } = waiting();
    feeds.add("note", given);
    expect(counts.map(() => feeds.take().length)).toEqual(counts);
    expect(feeds.isEmpty).toBe(true);
  });

  test("has feeds of several accounts, however many one of them has", () => {
    const { feeds } = waiting();
    feeds.add("first", many(600, 1));
    feeds.add("second", [{ ...feed("other"), account_id: "other" }]);
    expect(idsOf(feeds.take()).at(-1)).toBe("other");
    expect([feeds.take().length, feeds.take().length, feeds.isEmpty]).toEqual([250, 150, true]);
  });

  test("that could not be published is published when its feeds are due again, with later values", () => {
    const { clock, feeds } = waiting();
    feeds.add("first", [feed("a"), feed("b")]);
    const taken = feeds.take();
    feeds.add("second", [feed("b")]);
    feeds.giveBack(taken);
    expect([feeds.take(), feeds.isEmpty, feeds.has("first")]).toEqual([[], false, true]);
    clock.advance(quietFor);
    const again = feeds.take();
    expect(new Set(idsOf(again))).toEqual(new Set(["a", "b"]));
    expect(new Set(feeds.finish(again))).toEqual(new Set(["first", "second"]));
  });
});

describe("a note", () => {
  test("is finished when the last of its feeds is published", () => {
    const { feeds } = waiting();
    feeds.add("first", [feed("a"), feed("b")]);
    feeds.add("second", [feed("b"), feed("c")]);
    const [a, b, c] = feeds.take().map((one) => [one]);
    expect([feeds.finish(a!), feeds.finish(b!), feeds.finish(c!)]).toEqual([[], ["first"], ["second"]]);
    expect([feeds.has("first"), feeds.has("second")]).toEqual([false, false]);
  });
});
