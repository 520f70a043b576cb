/** `fairlead zone import` and `export`, run as commands against a running service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { node, type Service, service, tree } from "../../../../test/service/kit.ts";

const head = "$TTL 600\n@ SOA ns admin 1 2h 1h 2w 5m\n";

async function zone(running: Service, args: readonly string[], input = "") {
  const where = ["--http", new URL(running.url).host, "--data", running.data];
  const child = spawn(node, [join(tree, "bin/fairlead.js"), "zone", ...args, ...where]);
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, err, code };
}

test("zones are imported and exported as files", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-zone-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [file, copy] = [join(directory, "in"), join(directory, "out")];
  await using running = await service();
  writeFileSync(file, `${head}www A 192.0.2.1\nwww A 192.0.2.1\nother.example. A 192.0.2.1\n`);
  expect(await zone(running, ["import", file, "--zone", "one.example"])).toEqual({
    out: "created zone one.example with 1 record\n",
    err: "line 4: www.one.example A: duplicate data: left out\nline 5: other.example is outside the zone one.example: left out\n",
    code: 0,
  });
  await expect.poll(() => running.ask("www.one.example A")).toEqual(["www.one.example. 600 IN A 192.0.2.1"]);
  const printed = await zone(running, ["export", "one.example"]);
  expect([printed.code, printed.err]).toEqual([0, ""]);
  expect(printed.out).toContain("www.one.example.\t600\tIN\tA\t192.0.2.1\n");
  expect(await zone(running, ["export", "one.example", copy])).toEqual({ out: "", err: "", code: 0 });
  expect(readFileSync(copy, "utf8")).toBe(printed.out);
  const again = await zone(running, ["import", "-", "--zone", "two.example"], printed.out.replaceAll("one.", "two."));
  expect([again.out, again.code]).toEqual(["created zone two.example with 1 record\n", 0]);
  const wrong = await zone(running, ["import", "-", "--zone", "three.example"], `${head}a A x\nb MX y\n`);
  expect([wrong.out, wrong.code]).toEqual(["", 1]);
  expect(wrong.err.split("\n").map((line) => line.slice(0, 26))).toEqual([
    "line 3: A record: address ",
    "line 4: MX record: prefere",
    "fairlead: the zone three.e",
    "",
  ]);
  expect((await zone(running, ["export", "three.example"])).err).toBe(
    "fairlead: GET export/zonefile/three.example: zone not found\n",
  );
  expect((await zone(running, ["import", join(directory, "none"), "--zone", "x.example"])).err).toContain(
    "no such file",
  );
});
