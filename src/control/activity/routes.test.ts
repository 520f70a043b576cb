/** What the activity log can be asked. */
import { expect, test } from "vitest";
import { startApi } from "../../../test/api.ts";

const api = await startApi();
const ask = async (query: string) =>
  (await api.call<{ code: string; message: string }>("GET", `account/activity?${query}`)).body;

test("a time that is none is not mistaken for one that could be read some day", async () => {
  expect(await ask("start=abc")).toMatchObject({
    code: "invalid",
    message: 'start: "abc" is not a time in Unix seconds',
  });
  expect(await ask("end=2026-01-01")).toMatchObject({ code: "not_built" });
  expect(await ask("start=1700000000.5&end=1800000000")).toBeInstanceOf(Array);
});
