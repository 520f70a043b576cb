import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { Daemon } from "../../../test/machine/processes.ts";
import { silent } from "../../../test/store/store.ts";
import { removeUnfinished } from "./names.ts";
import { Snapshots } from "./snapshots.ts";

const unfinishedIn = (directory: string) => readdirSync(directory).some((name) => name.includes("writing"));

test("an edge that is killed during a write leaves a good snapshot, and unfinished files that can be removed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-killed-"));
  const script = new URL("../../../test/faults/snapshot-writer.ts", import.meta.url).pathname;
  let next = 1;
  let unfinished = 0;
  for (let round = 0; round < 8; round++) {
    const writer = new Daemon(process.execPath, [script, directory, `${next}`]);
    await writer.until(() => writer.printed.includes("\n"), 20_000);
    while (!unfinishedIn(directory)) await delay(1);
    await delay(2 * round);
    await writer.end("SIGKILL");
    const acknowledged = Number(writer.printed.trim().split("\n").at(-1));
    if (unfinishedIn(directory)) unfinished++;
    removeUnfinished(directory);
    expect(unfinishedIn(directory)).toBe(false);
    const restored = new Snapshots(directory, "all", silent).restore()!;
    // the newest snapshot may be in place without having been reported
    expect([acknowledged, acknowledged + 1]).toContain(restored.revision);
    expect(restored.image.stats()).toMatchObject({ zones: 1, records: 50_000 });
    next = restored.revision + 1;
  }
  expect(unfinished).toBeGreaterThan(0);
  rmSync(directory, { recursive: true });
});
