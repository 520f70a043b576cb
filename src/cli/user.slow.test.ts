/** `fairlead user invite`, run as an operator runs it beside a running service. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { node, service, tree } from "../../test/kit.ts";
import { run } from "../../test/processes.ts";

test("the first user gets a link to the public address, another one each time", async () => {
  await using running = await service();
  const invite = (username: string, ...flags: readonly string[]) =>
    run(node, [join(tree, "bin/fairlead.js"), "user", "invite", username, "--data", running.data, ...flags]);
  const first = await invite("admin");
  expect([first.code, first.err]).toEqual([0, ""]);
  const link = /^ {2}(http:\/\/127\.0\.0\.1:8080\/invitation#[\w-]{43})$/m.exec(first.out)?.[1];
  expect(link).toBeDefined();
  const second = await invite("Admin", "--public-url", "https://dns.example.net/portal/");
  expect(second.out).toMatch(/^ {2}https:\/\/dns\.example\.net\/portal\/invitation#[\w-]{43}$/m);
  expect(second.out).not.toContain(link?.split("#")[1]);
  expect((await invite("nobody")).err).toBe('fairlead: there is no user "nobody"\n');

  const answer = await fetch(`${running.url}/v1/account/activity?resource_type=user`, {
    headers: { "X-SERVICE-Key": running.key },
  });
  const log: unknown = await answer.json();
  const entry = expect.objectContaining({ action: "invite", user_type: "system", user_name: "fairlead user invite" });
  expect(log).toEqual([entry, entry]);
  expect(JSON.stringify(log)).not.toContain(link?.split("#")[1]);
}, 120_000);
