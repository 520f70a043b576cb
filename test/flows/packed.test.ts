/** The package that `npm pack` makes: installed into an empty directory without a registry, and run from there. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { version } from "../../src/config/version.ts";
import { output } from "../machine/processes.ts";
import { copyPackages } from "../service/clone.ts";
import { service, tree } from "../service/kit.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-packed-")));
const directory = join(place, "empty");
const inPackage = join(directory, "node_modules/fairlead");
const fairlead = join(directory, "node_modules/.bin/fairlead");

beforeAll(async () => {
  mkdirSync(directory);
  await output("npm", ["pack", "--pack-destination", place], { cwd: tree });
  // the packages that the registry would give
  await copyPackages(directory);
  await output("npm", ["install", "--offline", join(place, `fairlead-${version}.tgz`)], { cwd: directory });
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

const namesBelow = (path: string) => readdirSync(path, { recursive: true, encoding: "utf8" });

test("it has every asset of the sources, and neither sources nor tests", () => {
  const assets = (path: string) => namesBelow(path).filter((name) => /^(?!portal).*\.(html|css)$/.test(name));
  expect(assets(join(inPackage, "dist")).sort()).toEqual(assets(join(tree, "src")).sort());
  expect(namesBelow(inPackage).filter((name) => /\.ts$|\.test\.|^(src|test|bench|packaging)\//.test(name))).toEqual([]);
});

test("npx fairlead --version prints the version", async () => {
  expect(await output("npx", ["fairlead", "--version"], { cwd: directory })).toBe(`${version}\n`);
});

test("openapi prints the document of the sources", async () => {
  const [packed, ours] = await Promise.all([
    output(fairlead, ["openapi"], { cwd: directory }),
    output(join(tree, "bin/fairlead.js"), ["openapi"]),
  ]);
  expect(packed).toBe(ours);
});

test("the service answers over its API, its pages and DNS, with all of its threads", async () => {
  const overrides = join(place, "overrides.csv");
  writeFileSync(overrides, "prefix,country\n192.0.2.0/24,JP\n");
  await using running = await service({ program: [fairlead], portal: true, flags: ["--geo", overrides] });
  const page = await fetch(`${running.url}/zones`, { headers: { accept: "text/html" } });
  const [, script] = /src="(\.\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  expect((await fetch(new URL(script!, `${running.url}/zones`))).status).toBe(200);
  const secondaries = [{ ip: "127.0.0.1", port: 1, notify: false }];
  await running.zone("example.com", { primary: { enabled: true, secondaries } });
  const notes = "x".repeat(100_000);
  await running.must("PUT", "zones/example.com/www.example.com/A", {
    zone: "example.com",
    domain: "www.example.com",
    type: "A",
    answers: [{ answer: ["192.0.2.1"], meta: { note: notes.slice(0, 200) } }],
    unknown: notes,
  });
  await expect.poll(() => running.ask("www.example.com A")).toEqual(["www.example.com. 3600 IN A 192.0.2.1"]);
  expect(await running.ask("example.com AXFR", "+tcp")).toContain("www.example.com. 3600 IN A 192.0.2.1");

  const file = join(place, "example.net.zone");
  writeFileSync(file, "$TTL 300\n@ SOA ns1.example.net. root.example.net. 1 2 3 4 5\n$GENERATE 1-9 h$ A 192.0.2.$\n");
  const where = ["--data", running.data, "--http", new URL(running.url).host];
  await output(fairlead, ["zone", "import", file, "--zone", "example.net", ...where]);
  await expect.poll(() => running.ask("h9.example.net A")).toEqual(["h9.example.net. 300 IN A 192.0.2.9"]);

  for (const path of ["docs", "invitation", "link-page.js", "link-page.css", "v1/openapi.json"]) {
    expect(`${path} ${(await fetch(`${running.url}/${path}`)).status}`).toBe(`${path} 200`);
  }
  const report = await fetch(`${running.url}/v1/account/activity?export=pdf`, {
    headers: { "X-SERVICE-Key": running.key },
  });
  expect(Buffer.from(await report.arrayBuffer()).toString("latin1", 0, 5)).toBe("%PDF-");
  await expect.poll(async () => (await fetch(`${running.operator}/readyz`)).status).toBe(200);
});
