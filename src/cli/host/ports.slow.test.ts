/** A start on a port in use fails with the name of the flag, before it creates anything. */
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort, run } from "../../../test/machine/processes.ts";

test.each([
  ["serve", "--http"],
  ["serve", "--metrics"],
  ["control", "--http"],
  ["edge", "--metrics"],
])("fairlead %s reports that the port of %s is in use, and creates nothing", async (command, flag) => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-ports-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const endpoint = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
  const place = ["--data", join(directory, "data"), flag, endpoint, "--log", "error"];
  if (command !== "control") place.push("--dns", `127.0.0.1:${await freePort()}`);
  if (command === "serve" && flag !== "--http") place.push("--http", `127.0.0.1:${await freePort()}`);
  if (command !== "serve") place.push("--database-url", "postgres://127.0.0.1:1/none");
  const { code, err } = await run(process.execPath, ["bin/fairlead.js", command, ...place]);
  expect([code, err]).toEqual([1, `fairlead: ${flag}: ${endpoint} is in use\n`]);
  expect(readdirSync(directory)).toEqual([]);
});
