/** `fairlead doctor` as a command: beside a running service, and on machines with faults. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Namespace } from "../../../../test/machine/namespace.ts";
import { freePort, run } from "../../../../test/machine/processes.ts";
import { WrongClock } from "../../../../test/machine/wrong-clock.ts";
import { node, type Service, service, tree } from "../../../../test/service/kit.ts";
import { rolesOf } from "../../../../test/service/roles.ts";
import { testDatabase } from "../../../../test/store/store.ts";
import type { Finding } from "../../terminal/finding.ts";

interface Result {
  readonly code: number;
  readonly findings: readonly Finding[];
  /** The texts of one check by state. */
  of(check: string): string[];
}

async function doctor(flags: readonly string[], inside: readonly string[] = []): Promise<Result> {
  const [file = "", ...args] = [...inside, node, join(tree, "bin/fairlead.js"), "doctor", "--json", ...flags];
  const { code, out, err } = await run(file, args, { cwd: tree });
  const { ok, findings } = JSON.parse(out || "{}") as { ok: boolean; findings: Finding[] };
  expect([ok, err]).toEqual([code === 0, ""]);
  const of = (check: string) =>
    findings.filter((one) => one.check === check).map(({ state, text }) => `${state}: ${text}`);
  return { code, findings, of };
}

async function placesOf(): Promise<string[]> {
  const flags: string[] = [];
  for (const flag of ["--http", "--dns", "--metrics"]) flags.push(flag, `127.0.0.1:${await freePort()}`);
  return flags;
}

const flagsOf = (running: Service) => [
  ...["--data", running.data, "--http", new URL(running.url).host],
  ...["--dns", `127.0.0.1:${running.port}`, "--metrics", new URL(running.operator).host],
];

test("beside a running service all is well, and a store that died is failed", async () => {
  await using running = await service();
  await running.zone("example.com");
  await expect
    .poll(async () => (await doctor(flagsOf(running))).of("edges"))
    .toEqual([expect.stringMatching(/^ok: the edge \S+ is up to date$/)]);
  const well = await doctor(flagsOf(running));
  expect(well.code).toBe(0);
  expect(well.of("ports").map((text) => text.replace(/ \S+ /, " "))).toEqual([
    "ok: (--http) is open by the service here",
    "ok: (--metrics) is open by the service here",
    "ok: (--dns) is open by the service here",
  ]);
  expect(well.of("limits").join()).toContain(`process ${running.daemon.pid}`);

  const text = await run(node, [join(tree, "bin/fairlead.js"), "doctor", ...flagsOf(running)]);
  expect(text.out).toMatch(/^ok {7}store {7}PostgreSQL \d+/m);

  const { supervisor, store } = rolesOf(running);
  process.kill(supervisor[0]!, "SIGSTOP");
  process.kill(store[0]!, "SIGKILL");
  await expect
    .poll(async () => (await doctor(flagsOf(running))).of("store"))
    .toEqual([expect.stringMatching(/^failed: the service runs, and its store in .* does not$/)]);
  process.kill(supervisor[0]!, "SIGCONT");
  await running.ready();
});

test("a service that is stopped is a warning, and its ports are free", async () => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-doctor-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const running = await service({ data });
  const flags = flagsOf(running);
  await running.stop();
  const { code, of } = await doctor(flags);
  expect(of("store")).toEqual([`warning: the store in ${data} does not run, since the service does not`]);
  expect(of("ports").every((text) => text.endsWith("is free"))).toBe(true);
  expect(code).toBe(0);
});

test("another Fairlead on the same port is failed", async () => {
  await using running = await service();
  const [, , ...ports] = flagsOf(running);
  const { code, of } = await doctor(["--data", join(tmpdir(), "fairlead-nobody"), ...ports]);
  expect([code, of("ports")[0]]).toEqual([1, expect.stringMatching(/^failed: .* is in use by /)]);
});

test("a small disk and a read-only one are failed", async () => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-doctor-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const places = await placesOf();
  const small = await Namespace.create("mount", [`mount -t tmpfs -o size=64m,mode=700 tmpfs ${data}`]);
  onTestFinished(() => small.end());
  const full = await doctor(["--data", data, ...places], small.inside);
  expect(full.code).toBe(1);
  expect(full.of("disk")).toEqual([expect.stringMatching(/^failed: 6\d MiB of 64 MiB are free for /)]);
  await small.output("mount", ["-o", "remount,bind,ro", data]);
  const fixed = await doctor(["--data", data, ...places], small.inside);
  expect(fixed.of("rights")[0]).toMatch(/^failed: .* cannot be written: EROFS/);
});

test("a clock that is wrong by minutes is failed", async () => {
  const clock = new WrongClock();
  onTestFinished(() => clock.remove());
  clock.set(300);
  const data = join(tmpdir(), "fairlead-nobody");
  const flags = ["--data", data, "--database-url", await testDatabase(), ...(await placesOf())];
  const { code, of } = await doctor(flags, clock.inside);
  expect([code, of("clock").at(-1)]).toEqual([
    1,
    expect.stringMatching(/^failed: the clock is (300|299)\.\d s ahead of that of the store$/),
  ]);
});
