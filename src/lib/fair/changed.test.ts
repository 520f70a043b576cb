/** What has changed since somebody looked: accounts take turns, and memory is bounded. */
import { expect, test } from "vitest";
import { ChangedThings } from "./changed.ts";

test("accounts take turns, and each begins with its first part", () => {
  const changed = new ChangedThings();
  changed.add("a", ["1", "2", "3"]);
  changed.add("a", ["3"]);
  changed.add("b", []);
  const first = { isFirst: true };
  expect(changed.take(2)).toEqual({ account_id: "a", ids: ["1", "2"], ...first });
  expect(changed.take(2)).toEqual({ account_id: "b", ids: [], ...first });
  expect(changed.take(2)).toEqual({ account_id: "a", ids: ["3"], isFirst: false });
  expect(changed.take(2)).toBeUndefined();
  changed.postpone("a", ["1"]);
  expect(changed.take(2)).toEqual({ account_id: "a", ids: ["1"], isFirst: false });
});

test("a change in an account that waits begins it again", () => {
  const changed = new ChangedThings();
  changed.postpone("a", ["1"]);
  changed.add("a", ["2"]);
  expect(changed.take(5)).toEqual({ account_id: "a", ids: ["1", "2"], isFirst: true });
});

test("the things of one account are bounded", () => {
  const changed = new ChangedThings();
  changed.add(
    "a",
    Array.from({ length: 10_000 }, (_, n) => `${n}`),
  );
  expect(changed.take(10_000)?.ids.length).toBeLessThan(1000);
});
