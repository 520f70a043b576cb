/** Nothing is changed without an entry. */
import { expect, test } from "vitest";
import { routes } from "../index.ts";

/** Writes by their verb that leave no entry, and why. */
const silent: Readonly<Record<string, string>> = {
  "POST /v1/feed/:id": "thousands a second, of values that are no configuration",
  "PUT /v1/export/zonefile/:zone": "asks for what is there",
  "POST /v1/explain": "asks what would be answered",
};

test("every write declares its entry, or why it has none", () => {
  const writes = routes.filter(({ method }) => method !== "GET");
  const without = writes.filter(({ log }) => log === undefined).map(({ method, path }) => `${method} ${path}`);
  expect(without.toSorted()).toEqual(Object.keys(silent).toSorted());
});

test("what is read leaves none", () => {
  expect(routes.filter(({ method, log }) => method === "GET" && log !== undefined)).toEqual([]);
});
