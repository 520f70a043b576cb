import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { greeting, type Shown } from "./greeting.ts";

const config = readConfig({ data: "/srv/fairlead" }, {});
const shown = { hasKey: true, hasZones: false, key: undefined, dns: config.dns } satisfies Shown;

test("a store without zones comes with commands that make one", () => {
  const text = greeting(config, shown);
  expect(text).toMatch(/curl .*zones\/example\.com[\s\S]*dig @127\.0\.0\.1 -p 5300/);
  expect(text).toContain("npx fairlead user invite admin");
});

test("a store with zones comes without commands that would meet them", () => {
  expect(greeting(config, { ...shown, hasZones: true })).not.toMatch(/curl|dig/);
});

test("a first key that works no more is neither shown nor looked for", () => {
  const text = greeting(config, { ...shown, hasKey: false, key: "deleted" });
  expect(text).toContain("API key    one that you have");
  expect(text).not.toMatch(/credentials\.json|deleted|curl/);
});

test("the API alone says nothing of DNS", () => {
  expect(greeting(config, { ...shown, dns: [] })).not.toMatch(/DNS|dig/);
});
