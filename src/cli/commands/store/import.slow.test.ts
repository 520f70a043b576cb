/** `fairlead store import`: an import that fails leaves nothing behind, and one that was killed is noticed. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { Namespace } from "../../../../test/machine/namespace.ts";
import { Daemon, freePort, run } from "../../../../test/machine/processes.ts";
import { node, tree } from "../../../../test/service/kit.ts";
import { emptyDatabase } from "../../../../test/store/store.ts";
import { runningPostgres } from "../../../storage/embedded/postgres.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-store-"));
afterAll(() => rmSync(directory, { recursive: true }));
const formats = join(tree, "test/formats/3");
const whole = join(formats, "export");
const passphrase = ["--passphrase-file", join(formats, "passphrase")];

const fairlead = (...args: readonly string[]) => [join(tree, "bin/fairlead.js"), ...args];
const load = (file: string, data: string, ...flags: readonly string[]) =>
  run(node, fairlead("store", "import", file, "--data", data, ...flags));

/** A path that does not exist yet, below a directory that does not exist either. */
const newPlace = () => join(directory, `new-${Math.random()}`, "data");

test.each([
  ["plain text", Buffer.from("id,action\n"), "this is not a file that `fairlead store export` wrote"],
  ["zipped, but not an export", gzipSync("something else\n"), "this is not a file that `fairlead store export`"],
  ["zipped and damaged", Buffer.from([0x1f, 0x8b, 9, 9, 9, 9]), "the file is damaged"],
  [
    "an export in another format",
    gzipSync('{"fairlead_store":9}\n'),
    "wrote the file, in format 9, which this version cannot read: Fairlead 0",
  ],
  ["a directory", undefined, "is a directory"],
])("an import of a file that is %s creates neither a directory nor a store", async (_, octets, message) => {
  const [file, data] = [join(directory, "file"), join(directory, "data")];
  if (octets) writeFileSync(file, octets);
  const { code, err } = await load(octets ? file : directory, data);
  expect([code, err]).toEqual([1, expect.stringMatching(/^fairlead: [^\n]+\n$/)]);
  expect(err).toContain(message);
  expect(existsSync(data)).toBe(false);
});

describe("a failure after the store was begun", () => {
  const cut = join(directory, "cut");
  writeFileSync(cut, readFileSync(whole).subarray(0, statSync(whole).size - 2000));
  const other = join(directory, "other");
  writeFileSync(other, "another passphrase\n");

  test.each([
    ["a file that is cut off", cut, passphrase, "the file is damaged"],
    ["another passphrase", whole, ["--passphrase-file", other], "was written with another passphrase"],
    ["no passphrase", whole, [], "give --passphrase-file"],
  ])("%s: no directory is left, and an existing one is as it was", async (_, file, flags, message) => {
    const data = newPlace();
    const { code, err } = await load(file, data, ...flags);
    expect([code, err]).toEqual([1, expect.stringMatching(/^fairlead: [^\n]+\n$/)]);
    expect(err).toContain(message);
    expect(existsSync(join(data, ".."))).toBe(false);

    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, "own"), "");
    expect((await load(file, data, ...flags)).code).toBe(1);
    expect(readdirSync(data)).toEqual(["own"]);
  });

  test("a full disk", async () => {
    const data = newPlace();
    mkdirSync(data, { recursive: true });
    const disk = await Namespace.create("mount", [`mount -t tmpfs -o size=90m,mode=700 none "${data}"`]);
    onTestFinished(() => disk.end());
    const failed = disk.start(node, fairlead("store", "import", whole, "--data", data, ...passphrase));
    await expect.poll(() => failed.ended).toBe(true);
    expect([failed.child.exitCode, failed.printed]).toEqual([
      1,
      expect.stringMatching(/^fairlead: [^\n]*No space left[^\n]*\n$/),
    ]);
    expect(await disk.output("ls", ["-A", data])).toBe("");
  });

  test("a signal", async () => {
    const data = newPlace();
    const daemon = new Daemon(node, fairlead("store", "import", whole, "--data", data, ...passphrase));
    await daemon.until(() => existsSync(join(data, "store.importing/store")));
    expect(await daemon.end("SIGTERM")).toBe(1);
    expect(daemon.printed).toContain("nothing was imported");
    expect(existsSync(join(data, ".."))).toBe(false);
  });

  test("a store of your own gets no tables, and the data directory is not made", async () => {
    const [data, url] = [newPlace(), await emptyDatabase()];
    const own = ["--database-url", url, "--data", data];
    expect((await load(cut, data, ...own.slice(0, 2), ...passphrase)).err).toContain("the file is damaged");
    expect(existsSync(join(data, ".."))).toBe(false);
    const { code, out } = await load(whole, data, "--database-url", url, ...passphrase);
    expect([code, out]).toEqual([0, expect.stringMatching(/read from .* \(schema 0006_quotas\) wrote\n$/)]);
    expect(readdirSync(data)).toEqual(["master.key"]);
  });
});

test("an import that was killed is no store: a start says so, and the import can be repeated", async () => {
  const data = newPlace();
  const daemon = new Daemon(node, fairlead("store", "import", whole, "--data", data, ...passphrase));
  const site = join(data, "store.importing");
  onTestFinished(async () => void (await (await runningPostgres(site))?.stop()));
  await daemon.until(() => existsSync(join(site, "store/postmaster.pid")));
  await daemon.end("SIGKILL");
  for (const role of ["serve", "control"]) {
    const ports = ["--http", `127.0.0.1:${await freePort()}`, "--metrics", `127.0.0.1:${await freePort()}`];
    const url =
      role === "serve" ? ["--dns", `127.0.0.1:${await freePort()}`] : ["--database-url", "postgres://127.0.0.1:1/x"];
    const started = await run(node, fairlead(role, "--data", data, ...ports, ...url));
    expect([started.code, started.err]).toEqual([
      1,
      expect.stringContaining("was cut off: repeat `fairlead store import`"),
    ]);
  }
  expect((await run(node, fairlead("account", "list", "--data", data))).err).toContain("no store in");
  expect((await load(whole, data, ...passphrase)).code).toBe(0);
  expect(readdirSync(data).toSorted()).toEqual(["master.key", expect.stringMatching(/^pg-/), "store"]);
  const { out } = await run(node, fairlead("account", "list", "--json", "--data", data));
  expect(JSON.parse(out)).toMatchObject([{ name: "first", zones: 3 }]);

  const before = readdirSync(data);
  const again = await load(whole, data, ...passphrase);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("has a store: import into a new directory")]);
  expect(readdirSync(data)).toEqual(before);
});
