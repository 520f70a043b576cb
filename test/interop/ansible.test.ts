/** Debian's Ansible, which has no module of its own for this API: a playbook with its module for HTTP. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../machine/processes.ts";
import { service } from "../service/kit.ts";

const zone = "example.com";

test("a playbook makes a zone with records; a second run changes nothing, and a third one deletes it", async () => {
  await using running = await service();
  const directory = mkdtempSync(join(tmpdir(), "fairlead-ansible-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const task = (name: string, method: string, path: string, body: object | undefined, more: object = {}) => ({
    name,
    uri: {
      ...{ method, url: `${running.url}/v1/${path}`, headers: { "X-NSONE-Key": running.key }, return_content: true },
      ...(body === undefined ? {} : { body, body_format: "json" }),
    },
    ...more,
  });
  const put = (name: string, path: string, body: object) => [
    task(`look for ${name}`, "GET", path, undefined, {
      register: "found",
      failed_when: "found.status not in [200, 404]",
    }),
    task(`make ${name}`, "PUT", path, body, { when: "found.status == 404", register: "made", changed_when: true }),
  ];
  const play = async (tasks: readonly object[]) => {
    const file = join(directory, "play.yml");
    // JSON is YAML
    writeFileSync(file, JSON.stringify([{ hosts: "localhost", connection: "local", gather_facts: false, tasks }]));
    const env = { PATH: process.env["PATH"], HOME: directory, LC_ALL: "C.UTF-8" };
    const { code, out, err } = await run("ansible-playbook", [file], { env, cwd: directory });
    expect(code, out + err).toBe(0);
    return /changed=(\d+)/.exec(out)![1];
  };
  const record = (name: string) => `zones/${zone}/${name}.${zone}/A`;
  const answers = (...addresses: readonly string[]) => ({
    answers: addresses.map((address) => ({ answer: [address] })),
  });
  const make = [
    ...put("the zone", `zones/${zone}`, { zone, ttl: 300 }),
    ...put("www", record("www"), { ...answers("192.0.2.1", "192.0.2.2"), ttl: 60 }),
  ];
  expect(await play(make)).toBe("2");
  await expect
    .poll(() => running.ask(`www.${zone} A`))
    .toEqual([`www.${zone}. 60 IN A 192.0.2.1`, `www.${zone}. 60 IN A 192.0.2.2`]);
  expect(await play(make)).toBe("0");
  expect(await play([task("delete the zone", "DELETE", `zones/${zone}`, undefined, { changed_when: true })])).toBe("1");
  expect((await running.api("GET", `zones/${zone}`)).status).toBe(404);
});
