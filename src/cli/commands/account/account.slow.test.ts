/** `fairlead account`, run as a command while the service runs. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../../test/machine/processes.ts";
import { node, type Service, service, tree } from "../../../../test/service/kit.ts";

const account = (running: Service, ...args: readonly string[]) =>
  run(node, [join(tree, "bin/fairlead.js"), "account", ...args, "--data", running.data]);

test("limits of an account are shown and changed, and hold while the service runs", async () => {
  await using running = await service();
  const file = join(running.data, "limited.json");
  expect((await account(running, "create", "limited", "--key-file", file)).code).toBe(0);
  const { key } = JSON.parse(readFileSync(file, "utf8"));
  const put = async (zone: string) => {
    const headers = { "X-SERVICE-Key": key };
    const reply = await fetch(`${running.url}/v1/zones/${zone}`, { method: "PUT", headers, body: "{}" });
    return [reply.status, ((await reply.json()) as { message?: string }).message];
  };
  const shown = (zones: string, records: string, mebibytes: string) =>
    `zones      ${zones}\nrecords    ${records}\nMiB        ${mebibytes}\nkept MiB   ${records === "no limit" ? records : "1024"}\n`;
  const limit = async (name: string, ...args: readonly string[]) => {
    const { code, out, err } = await account(running, "limit", name, ...args);
    return code === 0 ? out : err;
  };
  expect(await limit("limited")).toBe(shown("10000", "1000000", "1024"));
  expect(await limit("first")).toBe(shown("no limit", "no limit", "no limit"));
  expect(await limit("limited", "--zones", "1", "--megabytes", "2")).toBe(shown("1", "1000000", "2"));
  expect(await put("one.example")).toEqual([200, undefined]);
  expect(await put("two.example")).toEqual([400, expect.stringMatching(/^this account can have at most 1 zones/)]);
  // a service that runs learns of new limits within about a minute
  expect(await limit("limited", "--zones", "none", "--records", "7")).toBe(shown("no limit", "7", "2"));
  await expect.poll(() => put("two.example"), { timeout: 80_000, interval: 1000 }).toEqual([200, undefined]);

  expect(await limit("limited", "--zones", "many")).toBe('fairlead: --zones: "many" is neither a number nor none\n');
  expect(await limit("nobody", "--zones", "1")).toBe('fairlead: there is no account "nobody"\n');
  const log = await fetch(`${running.url}/v1/account/activity?resource_type=account`, {
    headers: { "X-SERVICE-Key": key },
  });
  const entries = (await log.json()) as { action: string }[];
  expect(entries.filter(({ action }) => action === "limit")).toHaveLength(2);
});

test("an account is created, suspended and resumed while the service runs", async () => {
  await using running = await service();
  const file = join(running.data, "second.json");
  const made = await account(running, "create", "second", "--key-file", file);
  expect([made.code, made.err, made.out]).toEqual([0, "", expect.stringContaining(`API key    in ${file}`)]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { key, account_id } = JSON.parse(readFileSync(file, "utf8"));
  expect(made.out).not.toContain(key);
  const again = await account(running, "create", "third", "--key-file", file);
  expect([again.code, again.err]).toEqual([1, `fairlead: --key-file: ${file} already exists\n`]);

  const call = (method: string, path: string, body?: object) =>
    fetch(`${running.url}/v1/${path}`, {
      method,
      headers: { "X-SERVICE-Key": key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const answers = [{ answer: ["192.0.2.1"] }];
  expect((await call("PUT", "zones/second.example", {})).status).toBe(200);
  expect((await call("PUT", "zones/second.example/www.second.example/A", { answers })).status).toBe(200);
  const ask = () => running.dig("www.second.example A", "+noall", "+answer", "+comments");
  const poll = <T>(ask: () => Promise<T>) => expect.poll(ask);
  await poll(ask).toContain("192.0.2.1");

  expect((await account(running, "suspend", "second")).out).toContain("its zones are still answered");
  await poll(async () => (await call("GET", "zones")).status).toBe(403);
  expect(await ask()).toContain("192.0.2.1");
  expect((await account(running, "suspend", account_id, "--stop-answering")).code).toBe(0);
  await poll(ask).toContain("REFUSED");

  const listed = await account(running, "list", "--json");
  const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
  // both accounts may have been created in the same second
  expect(JSON.parse(listed.out).toSorted(byName)).toEqual([
    expect.objectContaining({ name: "first", zones: 0, users: 1, keys: 1, suspended: null, operator: true }),
    expect.objectContaining({ id: account_id, name: "second", zones: 1, suspended: expect.any(String) }),
  ]);
  const lines = (await account(running, "list")).out.split("\n").map((line) => line.split(/ {2,}/));
  expect(lines[0]).toEqual(["ID", "NAME", "ZONES", "USERS", "KEYS", "CREATED", "SUSPENDED", "OPERATOR"]);

  expect((await account(running, "resume", "second")).out).toContain("works again");
  await poll(async () => (await call("GET", "zones")).status).toBe(200);
  await poll(ask).toContain("192.0.2.1");
  expect((await account(running, "resume", "nobody")).err).toBe('fairlead: there is no account "nobody"\n');
});

test("an account becomes one of the operator, and is none again, while the service runs", async () => {
  await using running = await service();
  const file = join(running.data, "second.json");
  await account(running, "create", "second", "--key-file", file);
  const { key, key_id } = JSON.parse(readFileSync(file, "utf8"));
  const status = async () =>
    (await fetch(`${running.url}/v1/operator/edges`, { headers: { "X-SERVICE-Key": key } })).status;
  expect([await status(), (await running.api("GET", "operator/edges")).status]).toEqual([403, 200]);
  const on = await account(running, "operator", "second", "on");
  expect(on.out).toMatch(/^second \(\w+\) is now an account of the operator\.\n/);
  expect(on.out).toContain("operator.view and operator.manage: user second\n");
  expect(on.out).toContain(`operator.view and operator.manage: key first key (${key_id})\n`);
  await expect.poll(status).toBe(200);
  expect((await account(running, "operator", "second", "on")).out).toMatch(/is already an account.*\n$/);
  expect((await account(running, "operator", "second", "off")).out).toMatch(/no account of the operator any more/);
  await expect.poll(status).toBe(403);
  expect((await account(running, "operator", "second", "off")).out).toMatch(/ is none\.\n$/);
  expect((await account(running, "operator", "second", "maybe")).err).toBe('fairlead: "maybe" is neither on nor off\n');
  const named = await account(running, "operator", "second", "on", "--key", "nobody");
  expect([named.code, named.err]).toEqual([1, 'fairlead: the account has no key "nobody"\n']);
});
