/** `fairlead user invite`, run as a command while the service runs. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../../test/machine/processes.ts";
import { node, service, tree } from "../../../../test/service/kit.ts";

test("each invitation prints a new link, and the first user signs in with the password set through the newest link", async () => {
  await using running = await service();
  const invite = (username: string, ...flags: readonly string[]) =>
    run(node, [join(tree, "bin/fairlead.js"), "user", "invite", username, "--data", running.data, ...flags]);
  const first = await invite("admin", "--public-url", "https://dns.example.net/portal/");
  expect([first.code, first.err]).toEqual([0, ""]);
  const early = /^ {2}https:\/\/dns\.example\.net\/portal\/invitation#([\w-]{43})$/m.exec(first.out)?.[1];
  const second = await invite("Admin");
  const late = /\/invitation#([\w-]{43})$/m.exec(second.out)?.[1];
  expect(second.out).toContain(`-X POST ${running.url}/v1/auth/invitation -d '{"token":"${late}","password":"..."}'`);
  expect((await invite("nobody")).err).toBe('fairlead: there is no user "nobody"\n');

  const password = "a password of the operator";
  const post = async (path: string, body: object) =>
    (
      await fetch(`${running.url}/v1/auth/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      })
    ).status;
  expect(await post("invitation", { token: early, password })).not.toBe(200);
  expect(await post("invitation", { token: late, password })).toBe(200);
  expect(await post("signin", { username: "admin", password })).toBe(200);
  expect((await invite("admin")).out).toMatch(/within an hour[\s\S]*\/reset#[\w-]{43}$/m);

  const answer = await running.api<object[]>("GET", "account/activity?resource_type=user&user=user");
  const entry = expect.objectContaining({ action: "invite", user_type: "system", user_name: "fairlead user invite" });
  expect(answer.body).toEqual([entry, entry, entry]);
  expect(JSON.stringify(answer.body)).not.toContain(late);

  const cli = (...args: readonly string[]) =>
    run(node, [join(tree, "bin/fairlead.js"), ...args, "--data", running.data]);
  expect((await cli("account", "suspend", "First")).code).toBe(0);
  const shut = await invite("admin");
  expect(shut.out).toMatch(/^first \(\w+\) is suspended: the link works only after `fairlead account resume \w+`\.$/m);
  const token = /\/reset#([\w-]{43})$/m.exec(shut.out)?.[1];
  expect(await post("reset", { token, password })).toBe(403);
  expect((await cli("account", "resume", "FIRST")).code).toBe(0);
  expect(await post("reset", { token, password })).toBe(200);
});
