import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, describe, expect, test } from "vitest";
import { addOptions, addRoleOptions, ignoreOtherKeys, passed, readConfig } from "./config.ts";
import { keys } from "./keys.ts";

describe("configuration", () => {
  test("the defaults listen on loopback only", () => {
    const config = readConfig({}, {});
    expect(config.http).toEqual({ address: "127.0.0.1", port: 8080 });
    expect(config.dns).toEqual([{ address: "127.0.0.1", port: 5300 }]);
    expect(config.nameservers).toEqual([]);
  });

  test("flags win over the environment, which wins over the file", () => {
    const file = write({ http: "127.0.0.1:1001", log: "warn", dns: ["127.0.0.1:1002", "[::1]:1002"] });
    const config = readConfig(
      { config: file, http: "127.0.0.1:1003" },
      { FAIRLEAD_HTTP: "127.0.0.1:1004", FAIRLEAD_LOG: "debug" },
    );
    expect(config.http.port).toBe(1003);
    expect(config.log).toBe("debug");
    expect(config.dns).toEqual([
      { address: "127.0.0.1", port: 1002 },
      { address: "::1", port: 1002 },
    ]);
  });

  test("a list is repeated, or separated by commas", () => {
    expect(readConfig({ dns: ["127.0.0.1:53", "[::1]:53"] }, {}).dns).toHaveLength(2);
    const { nameservers } = readConfig({}, { FAIRLEAD_NAMESERVERS: "NS1.Example.net., ns2.example.net" });
    expect(nameservers).toEqual(["ns1.example.net", "ns2.example.net"]);
  });

  test.for([
    [{ http: "8080" }, {}, "--http"],
    [{ http: "127.0.0.1:70000" }, {}, "--http"],
    [{ dns: ["localhost:53"] }, {}, "--dns"],
    [{}, { FAIRLEAD_DNS: "127.0.0.1" }, "FAIRLEAD_DNS"],
    [{}, { FAIRLEAD_RATE_LIMIT: "0/1" }, "FAIRLEAD_RATE_LIMIT"],
    [{}, { FAIRLEAD_WORKERS: "1e1" }, "FAIRLEAD_WORKERS"],
    [{}, { FAIRLEAD_EDITION: "pro" }, "FAIRLEAD_EDITION"],
    [{}, { DATABASE_URL: "mysql://x" }, "DATABASE_URL"],
    [{}, { FAIRLEAD_TRUSTED_PROXY: "10.0.0.0/33" }, "FAIRLEAD_TRUSTED_PROXY"],
    [{ cookieSecret: ["e5e973e5a6b2a43f48e7dc849e37bf"] }, {}, "--cookie-secret"],
    [{ nsid: "x".repeat(65) }, {}, "--nsid"],
    [{}, { FAIRLEAD_DNS_ERROR_LIMIT: "-1" }, "FAIRLEAD_DNS_ERROR_LIMIT"],
    [{}, { FAIRLEAD_API_KEY: "short" }, "FAIRLEAD_API_KEY"],
    [{}, { FAIRLEAD_DSN: "127.0.0.1:53" }, "FAIRLEAD_DSN"],
    [{ nameservers: ["ns1"] }, {}, "--nameservers"],
    [{ nameservers: ["ns1.example.net=192.0.2.1"] }, {}, "--nameservers"],
    [{ allowSuffix: ["com"] }, {}, "--allow-suffix"],
  ] as const)("a bad setting is refused, and its key is named: %j %j", ([options, environment, name]) => {
    expect(() => readConfig(options, environment)).toThrow(name);
  });

  test("what was given is noted with its place, without secrets", () => {
    const config = write({ dns: ["192.0.2.1:53", "192.0.2.2:53"], edition: "ddi" });
    const environment = {
      FAIRLEAD_EDITION: "managed",
      FAIRLEAD_NAMESERVERS: "ns1.example, ns2.example",
      DATABASE_URL: "",
    };
    const { given } = readConfig({ config, apiKey: "a-key-of-the-operator", http: "127.0.0.1:1" }, environment);
    expect(given).toEqual({
      http: { source: "flag", values: ["127.0.0.1:1"] },
      dns: { source: "file", values: ["192.0.2.1:53", "192.0.2.2:53"] },
      edition: { source: "environment", values: ["managed"] },
      nameservers: { source: "environment", values: ["ns1.example", "ns2.example"] },
      apiKey: { source: "flag", values: [] },
    });
  });

  test("an empty list in the file means the default", () => {
    expect(readConfig({ config: write({ dns: [] }) }, {}).dns).toEqual([{ address: "127.0.0.1", port: 5300 }]);
  });

  test("an unknown key of the file is refused by name", () => {
    expect(() => readConfig({ config: write({ htpp: "127.0.0.1:1" }) }, {})).toThrow('"htpp"');
  });

  test("a file that is missing or is not JSON is refused by name", () => {
    expect(() => readConfig({ config: "/nowhere/fairlead.json" }, {})).toThrow("/nowhere/fairlead.json");
    const file = write("x");
    writeFileSync(file, "{");
    expect(() => readConfig({ config: file }, {})).toThrow(file);
  });
});

const directory = mkdtempSync(join(tmpdir(), "fairlead-config-"));
afterAll(() => rmSync(directory, { recursive: true }));
let written = 0;

test.for([
  ["edge", ["--http", "127.0.0.1:1"], "--http does not apply to fairlead edge, only to fairlead control"],
  ["edge", ["--smtp", "smtp://mail.example"], "--smtp does not apply to fairlead edge, only to fairlead control"],
  ["edge", ["--postgres-bin", "/bin"], "--postgres-bin does not apply to fairlead edge, only to fairlead serve"],
  ["control", ["--workers", "2"], "--workers does not apply to fairlead control, only to fairlead edge"],
] as const)("fairlead %s refuses %j, which fairlead serve accepts", ([role, args, message]) => {
  expect(() => addRoleOptions(new Command(), role).parse(args, { from: "user" })).toThrow(message);
  expect(() => addRoleOptions(new Command(), "serve").parse(args, { from: "user" })).not.toThrow();
});

test("help for an edge has only the flags that an edge reads, and a shared file may have other keys", () => {
  const edge = addRoleOptions(new Command(), "edge");
  const help = edge.helpInformation();
  for (const flag of ["--dns", "--workers", "--geo"]) expect(help).toContain(`${flag} <`);
  for (const flag of ["--http", "--smtp", "--postgres-bin"]) expect(help).not.toContain(`${flag} <`);
  expect(help.replaceAll(/\s+/g, " ")).toContain("/readyz with all details (default: 127.0.0.1:9153)");
  expect(help).not.toContain("embedded");
  const config = write({ http: "127.0.0.1:1", workers: 2 });
  expect(readConfig(edge.parse(["--config", config], { from: "user" }).opts(), {}).workers).toBe(2);
});

test("a command takes all flags of serve, ignores those that it does not need, and keeps its own", () => {
  const outer = new Command();
  const inner = addOptions(outer.command("inner"), ["http", "data"]).option("--networks <ID,...>");
  ignoreOtherKeys(outer);
  const flags = Object.values(keys).flatMap(({ flag, value }) =>
    flag === "--networks" ? [flag, "0,1"] : value === "" ? [flag] : [flag, "1.2.3.4:5"],
  );
  inner.parse([...flags, "--dns", "not an address"], { from: "user" });
  expect(inner.opts()).toMatchObject({ http: "1.2.3.4:5", networks: "0,1" });
  expect(readConfig({ http: inner.opts()["http"], dns: inner.opts()["dns"] }, {})).toMatchObject({
    http: { address: "1.2.3.4", port: 5 },
    dns: keys.dns.fallback,
  });
  expect(inner.helpInformation()).not.toContain("--dns");
  expect(() => inner.exitOverride().parse(["--never", "x"], { from: "user" })).toThrow();
});

test("descriptors are passed to the process that is meant", () => {
  const own = { pid: 10, ppid: 9 };
  const environment = { LISTEN_PID: "10", LISTEN_FDS: "2", LISTEN_FDNAMES: "udp-192.0.2.1_53:", NOTIFY_SOCKET: "@n" };
  const descriptors = [
    { fd: 3, name: "udp-192.0.2.1_53" },
    { fd: 4, name: undefined },
  ];
  expect(passed(environment, own)).toEqual({ descriptors, followsParent: false, notify: "@n" });
  const nothing = { descriptors: [], followsParent: false, notify: undefined };
  expect(passed({ ...environment, LISTEN_PID: "11", NOTIFY_SOCKET: "" }, own)).toEqual(nothing);
  const inherited = { LISTEN_PARENT: "9", LISTEN_FDS: "1" };
  expect(passed(inherited, own)).toMatchObject({ descriptors: [{ fd: 3 }], followsParent: true });
  // a child of that process has the same environment
  expect(passed(inherited, { pid: 11, ppid: 10 })).toEqual(nothing);
});

function write(content: unknown): string {
  const file = join(directory, `${written++}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test("a flag without a value turns on what the file and the environment may also set", () => {
  const command = new Command();
  addRoleOptions(command, "serve");
  const read = (args: readonly string[], environment = {}) => {
    command.parse([...args], { from: "user" });
    return readConfig(command.opts(), environment).noPortal;
  };
  expect(read([])).toBe(false);
  expect(read([], { FAIRLEAD_NO_PORTAL: "1" })).toBe(true);
  expect(() => read([], { FAIRLEAD_NO_PORTAL: "perhaps" })).toThrow("FAIRLEAD_NO_PORTAL: must be true or false");
  expect(read(["--no-portal"])).toBe(true);
});
