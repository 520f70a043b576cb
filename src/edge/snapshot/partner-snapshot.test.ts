import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { silent } from "../../../test/store/store.ts";
import { LineSnapshots } from "./line-snapshots.ts";
import { partnerLines } from "./partner-snapshot.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-partners-"));
afterAll(() => rmSync(directory, { recursive: true }));

test("a snapshot of keys and partners is read as it was written", async () => {
  const rows = { keys: [{ account_id: "a", name: "k", algorithm: "hmac-sha256", secret: "sealed" }], zones: [] };
  await new LineSnapshots(partnerLines, directory, silent).write(rows);
  expect(new LineSnapshots(partnerLines, directory, silent).read()).toEqual(rows);
});
