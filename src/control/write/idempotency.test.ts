/** Replies that are stored for an Idempotency-Key. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { startApi } from "../../../test/service/api.ts";
import { mostRepeated } from "./idempotency.ts";

const api = await startApi();
await api.must("PUT", "zones/large.example", {});

test("a large reply is not stored: a repeated request is done once, and gets a message", async () => {
  const answers = Array.from({ length: 100 }, (_, i) => ({
    id: `a${i}`,
    answer: ["192.0.2.1"],
    meta: { note: "x".repeat(250) },
  }));
  const filters = [
    { filter: "up", config: {} },
    ...Array.from({ length: 60 }, () => ({ filter: "shuffle", config: {} })),
  ];
  const regions = Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [`region-${i}`.padEnd(60, "x"), { meta: { note: "y".repeat(200) } }]),
  );
  const put = () =>
    api.call(
      "PUT",
      "zones/large.example/a.large.example/A",
      { answers, filters, regions },
      { "Idempotency-Key": "one" },
    );
  const first = await put();
  expect([first.status, first.text.length > mostRepeated]).toEqual([200, true]);
  const again = await put();
  expect([again.status, again.body]).toEqual([
    200,
    { message: expect.stringContaining("the request was done before; its reply of") },
  ]);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  const { rows } = await sqlSize();
  expect(rows[0]!.size).toBeLessThan(1000);
});

const sqlSize = () =>
  sql<{ size: number }>`select max(octet_length(body))::integer as size from idempotency`.execute(api.store.db);
