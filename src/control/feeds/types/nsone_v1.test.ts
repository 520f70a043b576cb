/** The values that a push to a native source gives to each feed, and the pushes that are refused. */
import { describe, expect, test } from "vitest";
import { nsoneV1 } from "./nsone_v1.ts";
import { Targets } from "./sourcetype.ts";

const feeds = new Targets([
  { id: "a", label: "Feed01" },
  { id: "b", label: "Feed02" },
  { id: "c", label: "Feed02" },
  { id: "d", label: "subdivisions" },
]);

/** The data that each feed receives. */
const received = (payload: object, targets = feeds) =>
  Object.fromEntries(
    nsoneV1
      .receive({ ...payload }, targets)
      .flatMap(({ feeds: ids, table }) => ids.map((id) => [id, JSON.parse(table.text)])),
  );

describe("a payload", () => {
  const up = { up: true };
  const cases: [name: string, payload: object, data: object][] = [
    ["that is flat reaches all feeds", up, { a: up, b: up, c: up, d: up }],
    [
      "by label reaches the feed with that label",
      { Feed01: { up: false, note: "n" } },
      { a: { up: false, note: "n" } },
    ],
    ["by a label that two feeds have reaches both", { Feed02: up }, { b: up, c: up }],
    [
      "of both kinds reaches all feeds, and a feed's own values take precedence",
      { up: true, weight: 1, Feed01: { weight: 2 } },
      {
        a: { up: true, weight: 2 },
        b: { up: true, weight: 1 },
        c: { up: true, weight: 1 },
        d: { up: true, weight: 1 },
      },
    ],
    ["with a label that is also a metadata key reaches the feed with that label", { subdivisions: up }, { d: up }],
    ["with null unsets the value", { Feed01: { up: null } }, { a: {} }],
    ["that is empty unsets all values", {}, { a: {}, b: {}, c: {}, d: {} }],
    [
      "with an unknown key reaches all feeds",
      { pulse: 3 },
      { a: { pulse: 3 }, b: { pulse: 3 }, c: { pulse: 3 }, d: { pulse: 3 } },
    ],
  ];
  for (const [name, payload, data] of cases) test(name, () => expect(received(payload)).toEqual(data));

  test("with an object for a metadata key that is not a label reaches all feeds", () => {
    const value = { subdivisions: { BR: ["SP"] } };
    expect(received(value, new Targets([{ id: "a", label: "x" }]))).toEqual({ a: value });
  });
  test("for a source without feeds reaches no feed", () => expect(received(up, new Targets([]))).toEqual({}));
  test("for one feed of a source reaches only that feed", () =>
    expect(received(up, feeds.only("b"))).toEqual({ b: up }));
});

describe("refused", () => {
  const cases: [payload: object, message: string][] = [
    [{ Feed09: { up: true } }, '"Feed09" is neither the label of a feed of this source nor a metadata key'],
    [{ up: true, Feed09: {} }, '"Feed09" is neither'],
    [JSON.parse('{"__proto__": {"up": true}}'), '"__proto__" is neither'],
    [{ Feed01: true }, '"Feed01" is the label of a feed, so its value must be an object'],
    [{ up: "down" }, "up must be true or false"],
    [{ Feed01: { up: "down" } }, "Feed01.up must be true or false"],
    [{ weight: Number.NaN }, "weight must be a number"],
    [{ weight: "NaN" }, "weight must be a number"],
    [{ Feed01: { weight: [1] } }, "Feed01.weight must be a number"],
    [{ weight: { feed: "a" } }, "weight must be a number"],
    [{ Feed01: { up: { feed: "a" } } }, "Feed01.up must be true or false"],
    [{ Feed01: { Feed02: { up: true }, up: { up: true } } }, "Feed01.up must be true or false"],
    [{ weight: { nested: true } }, "weight must be a number"],
    [{ Feed01: { pulse: "x".repeat(70_000) } }, "Feed01 is larger than 65536 octets"],
  ];
  for (const [payload, message] of cases) {
    test(JSON.stringify(payload).slice(0, 60), () =>
      expect(() => nsoneV1.receive({ ...payload }, feeds)).toThrow(message),
    );
  }
});
