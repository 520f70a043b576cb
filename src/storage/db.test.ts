import { sql } from "kysely";
import { expect, test } from "vitest";
import { testStore } from "../../test/store.ts";

const store = await testStore();

test("what is acknowledged is on disk", async () => {
  for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) {
    const { rows } = await sql.raw<Record<string, string>>(`show ${name}`).execute(store.db);
    expect(rows[0]![name]).toBe("on");
  }
});
