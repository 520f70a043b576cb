/** A start on a port of the API that is taken says which flag named it. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort, run } from "../../test/processes.ts";

test("a start that cannot have its port of the API names --http", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-ports-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const http = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
  const place = ["--data", directory, "--http", http, "--dns", `127.0.0.1:${await freePort()}`, "--log", "error"];
  const { code, err } = await run(process.execPath, ["bin/fairlead.js", "serve", ...place]);
  expect([code, err]).toEqual([1, `fairlead: --http: ${http} is in use\n`]);
});
