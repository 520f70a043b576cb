/** The Debian package: built, installed into a copy of this machine's files, and run as its units run it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { version } from "../../src/config/version.ts";
import { Daemon, freePort, output, run } from "../machine/processes.ts";
import { clientOf } from "../service/client.ts";
import { node, tree } from "../service/kit.ts";

const place = mkdtempSync(join(tmpdir(), "fairlead-debian-"));
const units = ["fairlead", "fairlead-control", "fairlead-edge"];
const unitOf = (name: string) => readFileSync(join(tree, "packaging/debian", `${name}.service`), "utf8");
let file = "";

beforeAll(async () => {
  file = (await output(node, [join(tree, "packaging/deb.ts"), place])).trim();
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

test("all of its files are root's, and none is a source or a test", async () => {
  const lines = (await output("dpkg-deb", ["--contents", file])).trim().split("\n");
  const entries = lines.map((line) => /^(\S+) (\S+) +\d+ \S+ \S+ \.(\S*)/.exec(line)!.slice(1));
  expect(
    entries.filter(([mode, owner]) => owner !== "root/root" || /^.....w|^........w/.test(mode!.replace(/^l.*/, ""))),
  ).toEqual([]);
  const paths = entries.map(([, , path]) => path!);
  expect(paths).toEqual(expect.arrayContaining(["/usr/bin/fairlead", "/usr/lib/fairlead/dist/main.js"]));
  expect(paths).toEqual(expect.arrayContaining(units.map((name) => `/usr/lib/systemd/system/${name}.service`)));
  expect(paths.filter((path) => /^\/usr\/lib\/fairlead\/(src|test|dist\/.*\.(ts|test\.js)$)/.test(path))).toEqual([]);
  expect(await output("dpkg-deb", ["--field", file, "Version"])).toBe(`${version}\n`);
});

test.each(units)("systemd finds %s.service correct, and its exposure below 3", async (name) => {
  const unit = join(tree, "packaging/debian", `${name}.service`);
  const shown = await output("systemd-analyze", ["security", "--offline=true", "--no-pager", unit]);
  expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(shown)?.[1])).toBeLessThan(3);
});

test("systemd understands every line of the units, and of the socket unit among the examples", async () => {
  const copies = join(place, "units");
  mkdirSync(copies);
  // verified commands must exist
  for (const name of units)
    writeFileSync(join(copies, `${name}.service`), unitOf(name).replaceAll("/usr/bin/fairlead", "/bin/true"));
  cpSync(join(tree, "docs/examples/systemd/fairlead.socket"), join(copies, "fairlead.socket"));
  const paths = [...units.map((name) => `${name}.service`), "fairlead.socket"].map((name) => join(copies, name));
  const { code, out, err } = await run("systemd-analyze", ["verify", "--man=no", ...paths]);
  expect([code, out, err]).toEqual([0, "", ""]);
});

/** The system calls that a unit allows, with sets such as @system-service replaced by their calls. */
async function allowedCalls(unit: string): Promise<Set<string>> {
  const allowed = new Set<string>();
  for (const [, not, words] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    for (const call of (await Promise.all(words!.split(" ").map(callsOf))).flat()) {
      if (not) allowed.delete(call);
      else allowed.add(call);
    }
  }
  return allowed;
}

async function callsOf(word: string): Promise<string[]> {
  if (!word.startsWith("@")) return [word];
  const lines = (await output("systemd-analyze", ["syscall-filter", "--no-pager", word])).split("\n").slice(1);
  const words = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  return (await Promise.all(words.map(callsOf))).flat();
}

/** Shell commands that mount a copy of the machine's files, go there, and install the package. */
const install = (copy: string): string[] => [
  "set -e",
  `mkdir -p ${copy}`,
  `mount -t tmpfs -o size=2g tmpfs ${copy}`,
  `mkdir ${copy}/upper ${copy}/work ${copy}/root`,
  `mount -t overlay overlay -o lowerdir=/,upperdir=${copy}/upper,workdir=${copy}/work ${copy}/root`,
  `cd ${copy}/root`,
  "for name in proc dev sys; do mount --rbind /$name $name; done",
  `mount -t tmpfs tmpfs tmp && cp ${file} tmp/fairlead.deb`,
  "chroot . dpkg --install /tmp/fairlead.deb",
];
const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)("an upgrade keeps what was edited and reloads; removal stops; purging keeps the data", async () => {
  const lines = [
    ...install(join(place, "upgraded")),
    "mkdir -p run/systemd/system",
    // notes what the package asks of systemd
    "rm -f usr/bin/systemctl usr/sbin/policy-rc.d",
    "printf '#!/bin/sh\\necho \"$*\" >> /tmp/asked\\n' > usr/bin/systemctl",
    "chmod +x usr/bin/systemctl",
    "echo edited > etc/fairlead/fairlead.json",
    "echo zones > var/lib/fairlead/data",
    // its scripts do not tell a newer version from the same
    "for step in '--install /tmp/fairlead.deb' '--remove fairlead' '--purge fairlead'; do",
    "  : > tmp/asked; chroot . dpkg $step; echo '== '; sort -u tmp/asked",
    "  for path in etc/fairlead/fairlead.json var/lib/fairlead/data; do cat $path || echo gone; done",
    "  [ -e usr/bin/fairlead ] && echo there || echo gone",
    "done",
  ];
  const script = join(place, "upgrade");
  writeFileSync(script, `${lines.join("\n")}\n`);
  const printed = await output("unshare", ["--mount", "--propagation", "private", "sh", script]);
  const [, upgraded, removed, purged] = printed.split("== \n").map((part) => part.split("\n").slice(0, 7));
  const reloads = ["fairlead-edge.service", "fairlead.service"].map((unit) => `try-reload-or-restart ${unit}`);
  expect(upgraded).toEqual([
    "daemon-reload",
    ...reloads,
    "try-restart fairlead-control.service",
    ...["edited", "zones", "there"],
  ]);
  const stop = `stop ${["fairlead", "fairlead-control", "fairlead-edge"].map((name) => `${name}.service`).join(" ")}`;
  expect(removed!.slice(0, 5)).toEqual(["daemon-reload", stop, "edited", "zones", "gone"]);
  expect(purged!.slice(0, 4)).toEqual(["daemon-reload", "gone", "zones", "gone"]);
});

/** Root alone can mount a copy of the machine's files. */
describe.runIf(isRoot)("installed", () => {
  const copy = join(place, "copy");
  const script = join(place, "run");
  /** A file as the service sees it. */
  const inside = (path: string) => readFileSync(`/proc/${daemon.pid}/root${path}`, "utf8");
  let daemon: Daemon;
  const ports = { http: 0, dns: 0, metrics: 0 };

  /**
   * What the unit forbids, by other means than systemd's: no file can be written except in the unit's directories, there
   * are no capabilities but one, and forbidden system calls are logged.
   */
  beforeAll(async () => {
    const unit = unitOf("fairlead");
    const start = /^ExecStart=(.*)$/m.exec(unit)![1]!;
    for (const name of ["http", "dns", "metrics"] as const) ports[name] = await freePort();
    const flags = Object.entries(ports).map(([name, port]) => `--${name} 127.0.0.1:${port}`);
    const forbidden = `trace=!${[...(await allowedCalls(unit))].join(",?").replace(/^/, "?")}`;
    const user = [
      ...["--reuid=fairlead", "--regid=fairlead", "--init-groups", "--no-new-privs"],
      ...["--inh-caps=-all,+net_bind_service", "--ambient-caps=-all,+net_bind_service"],
      "--bounding-set=-all,+net_bind_service",
    ];
    const lines = [
      ...install(copy),
      "chroot . fairlead --version",
      "chroot . stat -c 'conffile %a %U:%G' /etc/fairlead/fairlead.json",
      "mkdir -p var/cache/fairlead && chroot . chown fairlead: /var/cache/fairlead",
      "for name in lib cache log; do mount --bind var/$name/fairlead var/$name/fairlead; done",
      "mount -o remount,bind,ro .",
      `exec chroot . setpriv ${user.join(" ")} env -i PATH=/usr/bin NODE_COMPILE_CACHE=/var/cache/fairlead ` +
        `strace -D -f -qq --seccomp-bpf -e signal=none -e '${forbidden}' -o /tmp/calls ` +
        `sh -c 'chown root /tmp/calls; cd /var/lib/fairlead; exec ${start} ${flags.join(" ")}'`,
    ];
    writeFileSync(script, `${lines.join("\n")}\n`);
    daemon = new Daemon("unshare", ["--mount", "--propagation", "private", "sh", script]);
    await daemon.until(() => daemon.printed.includes("Fairlead is running"), 90_000);
  });

  afterAll(async () => void (await daemon?.end()));

  test("postinst makes the user, protects the configuration, and starts nothing", () => {
    expect(daemon.printed).toContain(`${version}\n`);
    expect(daemon.printed).toContain("conffile 640 root:fairlead\n");
    expect(daemon.printed).toContain("systemctl enable --now fairlead");
  });

  test("the service answers, and needs nothing that its unit forbids", async () => {
    const { key } = JSON.parse(inside("/var/lib/fairlead/credentials.json"));
    const client = clientOf(`http://127.0.0.1:${ports.http}`, key);
    await client.must("PUT", "zones/example.com", {});
    await client.must("PUT", "zones/example.com/www.example.com/A", { answers: [{ answer: ["192.0.2.1"] }] });
    const ask = () => output("dig", ["@127.0.0.1", "-p", `${ports.dns}`, "www.example.com", "A", "+short"]);
    await expect.poll(ask).toBe("192.0.2.1\n");
    // the call of chown(1), made before the start, shows that calls are logged
    expect(inside("/tmp/calls")).toMatch(/^\d+ +fchownat\([^\n]*EPERM[^\n]*\n$/);
  });
});
