import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig, sshConnection } from "../../config/config.ts";
import { greeting, type Shown } from "./greeting.ts";

const config = readConfig({ data: "/srv/fairlead" }, {});
const shown = { hasKey: true, hasZones: false, key: undefined, dns: config.dns } satisfies Shown;

test("the greeting for a store without zones has commands that create one", () => {
  const text = greeting(config, shown);
  expect(text).toMatch(/curl .*zones\/example\.com[\s\S]*dig @127\.0\.0\.1 -p 5300/);
  expect(text).toContain("npx fairlead user invite admin --data");
});

test("the invitation command has the flags that locate the store, without passwords", () => {
  expect(greeting(config, shown)).toContain("user invite admin --data '/srv/fairlead'\n");
  const databaseUrl = "postgres://dns:s3cret@db.example/fairlead?password=s3cret&sslmode=require";
  const text = greeting(readConfig({ databaseUrl, masterKeyFile: "/srv/master.key" }, {}), shown);
  const flags = "--database-url 'postgres://dns:...@db.example/fairlead?password=...&sslmode=require'";
  expect(text).toContain(`user invite admin ${flags} --master-key-file '/srv/master.key'\n`);
  expect(greeting(readConfig({}, {}), shown)).toContain("npx fairlead user invite admin\n");
});

test("keys of the configuration file are not repeated as flags", () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-greeting-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "config.json");
  writeFileSync(file, JSON.stringify({ data: "/srv/fairlead" }));
  const text = greeting(readConfig({ config: file }, {}), { ...shown, file });
  expect(text).toContain(`npx fairlead user invite admin --config '${file}'\n`);
});

const first = { username: "admin", token: "the-token", ssh: undefined };

test("a link for the first user takes the place of the invitation, also with zones", () => {
  const text = greeting(config, { ...shown, first });
  expect(text).toMatch(/as the first user, admin\..*\n\n {2}http:\/\/127\.0\.0\.1:8080\/welcome#the-token\n/);
  expect(text).not.toMatch(/user invite|ssh/);
  expect(greeting(config, { ...shown, hasZones: true, first })).toContain("#the-token");
});

test("over SSH, the greeting has the command that forwards the port", () => {
  const ssh = { user: "ann", address: "192.0.2.1", port: 22 };
  const lineOf = (more: object, http?: string) =>
    /^ {2}(ssh .*)$/m.exec(
      greeting(readConfig({ http }, {}), { ...shown, first: { ...first, ssh: { ...ssh, ...more } } }),
    )?.[1];
  expect(lineOf({})).toBe("ssh -N -L 8080:127.0.0.1:8080 ann@192.0.2.1");
  expect(lineOf({ user: undefined, port: 2222 }, "0.0.0.0:81")).toBe("ssh -N -L 81:127.0.0.1:81 -p 2222 192.0.2.1");
});

test("the SSH connection is that of the environment", () => {
  const SSH_CONNECTION = "198.51.100.7 50000 192.0.2.1 22";
  expect(sshConnection({ SSH_CONNECTION, USER: "ann" })).toEqual({ user: "ann", address: "192.0.2.1", port: 22 });
  expect(sshConnection({ USER: "ann" })).toBeUndefined();
});

test("the greeting for a store with zones has no commands", () => {
  expect(greeting(config, { ...shown, hasZones: true })).not.toMatch(/curl|dig/);
});

test("a first key that no longer works is neither shown nor read", () => {
  const text = greeting(config, { ...shown, hasKey: false, key: "deleted" });
  expect(text).toContain("API key    use one of your own");
  expect(text).not.toMatch(/credentials\.json|deleted|curl/);
});

test("the greeting of the API alone does not mention DNS", () => {
  expect(greeting(config, { ...shown, dns: [] })).not.toMatch(/DNS|dig/);
});
