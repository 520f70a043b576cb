/** Data that must survive a power cut is on disk before it is used: a file's octets, then its name in the directory. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../machine/processes.ts";
import { service } from "../service/kit.ts";
import { mailsTo } from "../service/mails.ts";

const email = "zoe@example.com";
const directory = mkdtempSync(join(tmpdir(), "fairlead-synced-"));
const data = join(directory, "of", "the service");
const trace = join(directory, "trace");
/** strace runs as a grandchild, so that signals go to the service itself; it shows descriptors with their paths. */
const inside = ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-y", "-s", "200", "-o", trace];
const calls = "fsync,fdatasync,rename,renameat,renameat2,link,linkat";

/** System calls in the order in which they began. */
let lines: readonly string[];

beforeAll(async () => {
  const flags = ["--doh", `127.0.0.1:${await freePort()}`];
  await using running = await service({ inside: [...inside, "-e", `trace=${calls}`], data, flags });
  await running.must("PUT", "account/users", { name: "Zoe", username: "zoe", email });
  await running.daemon.until(async () => (await mailsTo(data, email)).length === 1);
  await running.stop();
  lines = readFileSync(trace, "utf8").split("\n");
});

afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** The position of the first matching call in the trace, from a position on. */
const found = (from: number, call: RegExp) => lines.findIndex((line, at) => at >= from && call.test(line));
const escaped = (path: string) => path.replace(/[.]/g, "\\.");
const synced = (path: string) => new RegExp(` f(data)?sync\\(\\d+<${path}>`);

test.each([
  ["the master key", "master\\.key\\.\\d+", "master\\.key"],
  ["the first API key", "credentials\\.json\\.new", "credentials\\.json"],
  ["a generated certificate", "tls-cert\\.pem\\.new", "tls-cert\\.pem"],
  ["the certificate's key", "tls-key\\.pem\\.new", "tls-key\\.pem"],
  ["a mail in the outbox", "outbox/\\.\\w+\\.eml", "outbox/\\w+\\.eml"],
])("%s is synced before it gets its name, and its directory afterwards", (_, unfinished, file) => {
  const place = escaped(data);
  const written = found(0, synced(`${place}/${unfinished}`));
  const named = found(written, new RegExp(` (rename|link)\\w*\\(.*"${place}/${unfinished}", .*"${place}/${file}"`));
  const kept = found(named, synced(`${place}${file.startsWith("outbox") ? "/outbox" : ""}`));
  expect([written, named, kept].every((at) => at >= 0)).toBe(true);
});

test("the data directory, its new parents, and the store's directory are synced when they are made", () => {
  for (const path of [directory, join(directory, "of")]) expect(found(0, synced(escaped(path)))).toBeGreaterThan(-1);
  const place = escaped(data);
  const named = found(0, new RegExp(` rename\\w*\\(.*"${place}/store.new", .*"${place}/store"`));
  expect(named).toBeGreaterThan(-1);
  expect(found(named, synced(place))).toBeGreaterThan(named);
});
