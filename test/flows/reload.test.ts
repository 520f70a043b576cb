/** `fairlead reload` and SIGHUP: another edge takes over, without a lost query, with the current configuration. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reload, reloadsUnderLoad } from "../faults/reloads.ts";
import { freePort, output } from "../machine/processes.ts";
import { type Service, service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";

test("no query is lost while edges follow one another; node test/faults/reload.ts does it for a minute", async () => {
  const { udp, tcp } = await reloadsUnderLoad({ reloads: 2, every: 3000, rate: 300, seed: 1 });
  process.stdout.write(`\nfaults: 2 reloads under load, ${udp.asked} queries over UDP and ${tcp.asked} over TCP\n`);
  expect(udp).toMatchObject({ lost: 0, wrong: 0 });
  expect(tcp).toMatchObject({ lost: 0, wrong: 0 });
  expect(udp.asked).toBeGreaterThan(600);
});

describe("a service with a configuration file", () => {
  let directory: string;
  let file: string;
  let running: Service;
  const configure = (settings: object) => writeFileSync(file, JSON.stringify(settings));
  const edge = () => rolesOf(running).edge[0];
  const nsid = async (port = running.port) =>
    /NSID: .*\("(.*)"\)/.exec(
      await output("dig", ["@127.0.0.1", "-p", `${port}`, "+nsid", "reload.example", "SOA"]),
    )?.[1];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "fairlead-reload-"));
    // longer than the path of a Unix socket may be
    const data = join(directory, "data".repeat(30));
    mkdirSync(data);
    file = join(directory, "fairlead.json");
    configure({ nsid: "first" });
    running = await service({ data, flags: ["--config", file] });
    await running.zone("reload.example");
    await running.daemon.until(async () => (await running.ask("reload.example SOA")).length === 1);
  });

  afterAll(async () => {
    await running?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test("a changed file is applied, and keys that need a restart are named", async () => {
    const [before, other] = [edge(), await freePort()];
    configure({ nsid: "second", dns: `127.0.0.1:${other}`, "rate-limit": "5/1" });
    expect(await nsid()).toBe("first");
    const { code, out } = await reload(running);
    expect(code).toBe(0);
    // the flag for DNS has precedence over the file
    expect(out).toMatch(
      new RegExp(
        `^edge ${before} was replaced by \\d+ in [\\d.]+ s; --rate-limit changed: restart the service to apply this\n$`,
      ),
    );
    // the old edge may still answer its last queries
    await expect.poll(() => nsid()).toBe("second");
    await expect.poll(() => rolesOf(running).edge).not.toContain(before);
  });

  test("an invalid file changes nothing, and the reason is reported", async () => {
    const before = edge();
    configure({ nsid: "third", "dns-limit": "many" });
    const { code, err } = await reload(running);
    expect(code).toBe(1);
    expect(err).toContain('nothing was reloaded: "dns-limit" in the configuration file: "many"');
    expect(edge()).toBe(before);
    expect(await nsid()).toBe("second");
  });

  test("an address that cannot be bound changes nothing", async () => {
    const taken = Number(new URL(running.url).port);
    configure({ nsid: "third", dot: `127.0.0.1:${taken}` });
    const { code, err } = await reload(running);
    expect([code, err]).toEqual([1, `fairlead: nothing was reloaded: --dot: 127.0.0.1:${taken} is in use\n`]);
    expect(await nsid()).toBe("second");
  });

  test("an added address answers until it is removed", async () => {
    const port = await freePort();
    configure({ nsid: "third", dot: `127.0.0.1:${port}` });
    expect((await reload(running)).code).toBe(0);
    const overTls = async () =>
      (await output("kdig", ["@127.0.0.1", "-p", `${port}`, "+tls", "+short", "reload.example", "SOA"])).trim();
    expect(await overTls()).toContain("dns1");
    configure({ nsid: "third" });
    expect((await reload(running)).code).toBe(0);
    await expect.poll(() => overTls().catch(() => "closed")).toBe("closed");
  });

  test("SIGHUP reloads too", async () => {
    configure({ nsid: "fourth" });
    running.daemon.child.kill("SIGHUP");
    await expect.poll(() => nsid()).toBe("fourth");
  });

  test("after a reload an edge that dies is started again with the new configuration", async () => {
    const before = edge()!;
    process.kill(before, "SIGKILL");
    await expect.poll(() => nsid().catch(() => undefined)).toBe("fourth");
    expect(rolesOf(running).edge).not.toContain(before);
  });
});

test("without a service there is nothing to reload", async () => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-nothing-"));
  const { code, err } = await reload({ data });
  expect(code).toBe(1);
  expect(err).toContain(`no service to reload runs in ${data}`);
  rmSync(data, { recursive: true });
});
