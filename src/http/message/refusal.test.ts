/** The reason phrases of refusals. */
import { afterAll, expect, test } from "vitest";
import { openLibrary } from "../../../test/service/library.ts";
import { silent } from "../../../test/store/store.ts";
import { denied, missing } from "../../lib/problem.ts";
import { refusalOf } from "./refusal.ts";

const { url, server } = await openLibrary();
afterAll(() => server.close());

test("the status line of a 403 has the message; other statuses keep their names, which clients compare", async () => {
  const reasonOf = async (method: string, path: string, key: string) =>
    (await fetch(url + path, { method, headers: { "X-NSONE-Key": key } })).statusText;
  expect(await reasonOf("DELETE", "/v1/books/one", "reader-key")).toBe("you may not write");
  expect(await reasonOf("GET", "/v1/books/none", "reader-key")).toBe("Not Found");
  expect(await reasonOf("GET", "/v1/books", "nobody's-key")).toBe("Unauthorized");
});

test("a reason phrase is a short line of visible ASCII", () => {
  const reason = (error: Error) => refusalOf(error, "id", "route", silent).reason;
  expect(reason(denied("the zone b\u00fccher\r\nX-Evil: 1\0"))).toBe("the zone b?cher??X-Evil: 1?");
  expect(reason(denied("x".repeat(500)))).toHaveLength(200);
  expect(reason(missing("zone not found"))).toBeUndefined();
});
