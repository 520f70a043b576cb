/**
 * Third-party software for the tests, as Debian packages: root installs them, other users are told which are missing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/** A package, its purpose, and the service that it would start at the next boot. */
const packages: readonly { readonly name: string; readonly use: string; readonly unit?: string }[] = [
  { name: "bind9-dnsutils", use: "dig" },
  { name: "knot-dnsutils", use: "kdig" },
  { name: "ldnsutils", use: "drill" },
  { name: "bind9-utils", use: "named-checkzone" },
  { name: "knot-dnssecutils", use: "kzonecheck" },
  { name: "nsd", use: "the peer that answers are compared with", unit: "nsd.service" },
  { name: "bind9", use: "a partner in transfers, which takes dynamic updates", unit: "named.service" },
  { name: "knot", use: "a partner in transfers, which takes dynamic updates", unit: "knot.service" },
  { name: "pdns-server", use: "a partner in transfers", unit: "pdns.service" },
  { name: "pdns-backend-sqlite3", use: "the backend in which PowerDNS keeps zones" },
  { name: "postgresql-15", use: "an external store, with the oldest supported PostgreSQL", unit: "postgresql.service" },
  { name: "pgbouncer", use: "a pooler in front of the store", unit: "pgbouncer.service" },
  { name: "haproxy", use: "a proxy in front of controls and store", unit: "haproxy.service" },
  { name: "nginx", use: "a proxy in front of the API", unit: "nginx.service" },
  { name: "prometheus", use: "promtool, which checks alert rules", unit: "prometheus.service" },
  { name: "lexicon", use: "an existing client of the API" },
  { name: "ansible-core", use: "an existing client of the API" },
  { name: "certbot", use: "a client of ACME, which lexicon serves", unit: "certbot.timer" },
  { name: "pebble", use: "a server of ACME" },
  { name: "chromium", use: "a browser, for the pages that mails link to" },
  { name: "openssl", use: "a throw-away CA" },
  { name: "curl", use: "the commands that a first start prints" },
  { name: "poppler-utils", use: "pdftotext, which reads reports" },
  { name: "unzip", use: "reads workbooks" },
  { name: "procps", use: "pgrep" },
  { name: "libfaketime", use: "clocks that are wrong" },
  { name: "strace", use: "system calls that fail" },
  { name: "iproute2", use: "addresses of a network namespace" },
  { name: "nftables", use: "packets that are lost" },
  { name: "git", use: "which files belong to the tree" },
];

const policy = "/usr/sbin/policy-rc.d";
const saved = `${policy}.before-fairlead`;
const noStarts = "#!/bin/sh\n# While the tests of fairlead install packages: no service starts.\nexit 101\n";
const listsMayBeHoursOld = 24;

/** Ensures that all packages are installed; otherwise throws an error with the command that installs them. */
export function provideDebianPackages(): void {
  const missing = packages.filter(({ name }) => !isInstalled(name));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    const list = missing.map(({ name, use }) => `  ${name} (${use})`).join("\n");
    const command = `apt-get update && ${installCommand(names).join(" ")}`;
    throw new Error(
      `These Debian packages are missing:\n${list}\nInstall them as root:\n  ${command}${startsOf(missing)}`,
    );
  }
  process.stdout.write(`Installing Debian packages for the tests: ${names.join(", ")}\n`);
  if (forbidsStarts()) install(names);
  else withoutStartingServices(() => install(names));
  for (const { unit } of missing) if (unit) disable(unit);
}

/** A note about the services that an installation by hand would start. */
function startsOf(missing: typeof packages): string {
  const units = missing.flatMap(({ unit }) => unit ?? []);
  if (units.length === 0) return "";
  return `\nDebian starts services that it installs; none of them has to run for the tests:\n  systemctl disable --now ${units.join(" ")}`;
}

function install(names: readonly string[]): void {
  if (areListsOld()) apt(["apt-get", "update"]);
  if (apt(installCommand(names))) return;
  apt(["apt-get", "update"]);
  if (!apt(installCommand(names))) throw new Error(`${installCommand(names).join(" ")} failed`);
}

const installCommand = (names: readonly string[]) => ["apt-get", "install", "-y", "--no-install-recommends", ...names];

function isInstalled(name: string): boolean {
  const { stdout } = spawnSync("dpkg-query", ["-s", name], { encoding: "utf8" });
  return /^Status: install ok installed$/m.test(stdout ?? "");
}

function areListsOld(): boolean {
  const lists = "/var/lib/apt/lists";
  const ages = readdirSync(lists)
    .filter((name) => name.endsWith("InRelease") || name.endsWith("_Release"))
    .map((name) => Date.now() - statSync(`${lists}/${name}`).mtimeMs);
  return ages.length === 0 || Math.min(...ages) > listsMayBeHoursOld * 3_600_000;
}

function apt([file = "", ...args]: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = ["-q", "-o", "DPkg::Lock::Timeout=300", ...args];
  return spawnSync(file, options, { env, stdio: ["ignore", "inherit", "inherit"] }).status === 0;
}

/** Runs a function under a policy that forbids all starts of services (invoke-rc.d(8)), and restores the policy. */
function withoutStartingServices(run: () => void): void {
  const restore = () => {
    if (existsSync(policy) && readFileSync(policy, "utf8") === noStarts) rmSync(policy);
    if (existsSync(saved)) renameSync(saved, policy);
  };
  const interrupted = () => {
    restore();
    process.exit(1);
  };
  if (existsSync(policy)) renameSync(policy, saved);
  writeFileSync(policy, noStarts, { mode: 0o755 });
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    run();
  } finally {
    restore();
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
  }
}

const forbidsStarts = () => spawnSync(policy, ["any", "start"], { stdio: "ignore" }).status === 101;

/** The tests use the program, not the service, which must not start at the next boot either. */
function disable(unit: string): void {
  const { status } = spawnSync("systemctl", ["disable", unit], { stdio: "ignore" });
  if (status === 0) process.stdout.write(`${unit} was disabled: the tests run the program themselves\n`);
}
