/** Signing in, proofs and ended sessions always leave an entry: a test of every route that writes its entry itself. */
import { generate } from "otplib";
import { expect, test } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { type Fields, startApi } from "../../../test/service/api.ts";
import { Browser, goodPassword, invited } from "../../../test/service/browser.ts";
import { mailsTo } from "../../../test/service/mails.ts";
import { routes } from "../index.ts";

const step = 30_000;
const clock = fakeClock(Math.floor(Date.now() / step) * step);
const api = await startApi({ trustedProxies: ["127.0.0.1"], clock });
const address = "192.0.2.77";
const page = () => new Browser(api.url, { "X-Forwarded-For": address });
const password = goodPassword;
const other = "another horse battery";

// routes that only the first user calls are tested in people/signin/first.test.ts
const ownRoutes = routes.filter(
  ({ method, path, ownTransaction, fromHere }) =>
    method !== "GET" && path.startsWith("/v1/auth/") && ownTransaction && !fromHere,
);

test("each route leaves one entry for its user, or none by design", async () => {
  const user = await invited(api);
  const entries = () => api.must<Fields[]>("GET", `account/activity?user=${user.id}&limit=1000`);
  const tested = new Set<string>();
  const [mine, second, left] = [page(), page(), page()];
  let [secret, logged, codes]: [string, number, string[]] = ["", 0, []];

  async function request(by: Browser, route: string, call: Fields | undefined, action: string | undefined) {
    const [method = "", path = ""] = route.split(" ");
    tested.add(`${method} /v1/${path.replace(/sessions\/.*/, "sessions/:id")}`);
    const reply = await by.must<Fields>(method, path, call);
    const wanted = logged + (action === undefined ? 0 : 1);
    // work for known users is done after the reply
    await expect.poll(async () => (await entries()).length).toBe(wanted);
    const [entry] = await entries();
    if (action !== undefined) {
      const by = { user_id: user.id, user_name: user.username, user_type: "user", address };
      expect(entry).toMatchObject({ ...by, resource_type: "user", resource_id: user.id, action });
    }
    logged = wanted;
    return reply;
  }
  const code = async () => {
    clock.advance(3 * step);
    return await generate({ secret, epoch: Math.floor(clock.now() / 1000) });
  };

  await request(mine, "POST auth/invitation", { token: user.token, password }, "password_set");
  secret = String((await request(mine, "PUT auth/totp", { password }, undefined))["secret"]);
  codes = (await request(mine, "POST auth/totp", { code: await code() }, "second_factor_enable"))[
    "recovery_codes"
  ] as string[];
  const signIn = { username: user.username, password };
  // an incomplete session leaves no entry
  await request(second, "POST auth/signin", signIn, undefined);
  await request(second, "POST auth/secondfactor", { code: await code() }, "sign_in");
  await request(left, "POST auth/signin", signIn, undefined);
  await request(left, "POST auth/secondfactor", { recovery_code: codes[0] }, "sign_in");
  const sessions = await mine.must<{ id: string; current: boolean }[]>("GET", "auth/sessions");
  await request(mine, `DELETE auth/sessions/${sessions.find(({ current }) => !current)!.id}`, undefined, "session_end");
  await request(mine, "DELETE auth/sessions", undefined, "sessions_end");
  await request(mine, "POST auth/confirm", { password, code: await code() }, "password_confirm");
  await request(mine, "POST auth/recoverycodes", { password, code: await code() }, "recovery_codes");
  await request(mine, "POST auth/totp/disable", { password, code: await code() }, "second_factor_disable");
  await request(mine, "POST auth/password", { password, new_password: other }, "password_change");
  await request(mine, "POST auth/signout", {}, "sign_out");
  await request(mine, "POST auth/signin", { ...signIn, password: other }, "sign_in");
  await request(page(), "POST auth/forgot", { username: user.username }, "password_reset");
  const link = async () =>
    (await mailsTo(api.directory, user.email)).flatMap(
      ({ text }) => /\/reset#([\w-]{43})/.exec(text ?? "")?.[1] ?? [],
    )[0];
  await expect.poll(link).toBeTypeOf("string");
  await request(page(), "POST auth/reset", { token: await link(), password }, "password_set");
  expect([...tested].toSorted()).toEqual(ownRoutes.map(({ method, path }) => `${method} ${path}`).toSorted());
});
