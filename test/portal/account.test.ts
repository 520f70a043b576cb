/** The pages of the account: people, rights, teams, keys, allow lists, the own security, and TSIG keys. */
import { execFileSync } from "node:child_process";
import { generate } from "otplib";
import pg from "pg";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { runningPostgres } from "../../src/storage/embedded/postgres.ts";
import { mailsTo } from "../service/mails.ts";
import { button, findingsOf, password, real, signIn, startPortal } from "./kit/portal.ts";

const portal = await startPortal();
const { service } = portal;
await service.zone("example.com");

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

/** The mails to a user, once the first is there. */
async function eventuallyMail(address: string) {
  await eventually(async () => (await mailsTo(service.data, address)).length).toBe(1);
  return await mailsTo(service.data, address);
}

/** Everything that a page keeps in its browser. */
const stored = (page: Page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

test("an invitation leads from the mail to a second factor, and the administrator sees it", async () => {
  const admin = await portal.signedIn("/account/people?new=1");
  await admin.page.getByLabel("User name").fill("dora");
  await admin.page.getByLabel("E-mail address").fill("dora@example.net");
  await admin.page.reload();
  await eventually(() => admin.page.getByLabel("User name").inputValue()).toBe("dora");
  await button(admin.page, "Only reading").click();
  await button(admin.page, "Send the invitation").click();
  await admin.page.getByRole("heading", { name: "dora" }).waitFor();
  const [mail] = await eventuallyMail("dora@example.net");
  const [link = ""] = /http\S+#\S+/.exec(mail?.text ?? "") ?? [];

  const { page, complaints } = await portal.open(new URL(link).pathname + new URL(link).hash);
  await page.getByLabel("New password", { exact: true }).fill(password);
  // the token is not in the address bar any more
  expect(page.url()).toBe(`${service.url}/invitation`);
  await page.getByLabel("New password, again").fill(password);
  expect(await findingsOf(page)).toEqual([]);
  await button(page, "Set the password").click();
  await page.getByText("You can now sign in as dora").waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await signIn(page, "dora", password);
  await page.goto(`${service.url}/account/security`);
  await button(page, "Set up a second factor").click();
  await page.getByLabel(/^Password/).fill(password);
  await button(page, "Next").click();
  const secret = await page.locator("code").innerText();
  await page.getByLabel("Code of your authenticator app").fill(await generate({ secret }));
  await button(page, "Confirm the code").click();
  await page.getByText("They are shown only now").waitFor();
  expect(await stored(page)).not.toContain(secret);
  await button(page, "I have stored them").click();
  await page.getByText("Signing in asks for a code").waitFor();
  expect(real(complaints)).toEqual([]);

  await admin.page.goto(`${service.url}/account/people`);
  await eventually(() => row(admin.page, "dora").innerText()).toMatch(/\bon\b/);
  await admin.page.getByRole("link", { name: "dora" }).click();
  await button(admin.page, "Reset the second factor").click();
  await admin.page.getByRole("dialog").getByRole("button", { name: "Reset the second factor" }).click();
  await admin.page.getByText("The second factor is reset.").waitFor();
  expect(await service.must("GET", "account/users/dora")).toMatchObject({ "2fa_enabled": false });
  expect(real(admin.complaints)).toEqual([]);
});

test("rights are set one by one, and the reasons of those that apply are shown", async () => {
  await service.must("PUT", "account/users", { username: "erin", email: "erin@example.net" });
  const { page, complaints } = await portal.signedIn("/account/people?user=erin&tab=rights");
  const right = (name: string) => page.getByRole("radiogroup", { name: new RegExp(`\\(${name}\\)$`) });
  await right("manage_users").getByText("may not", { exact: true }).click();
  await page.getByText("Only these zones", { exact: true }).click();
  await page.getByLabel("Names of zones, one a line").fill("example.com\n");
  await page.getByText("3 changes are not saved.").waitFor();
  await button(page, "Save the rights").click();
  await page.getByText("The rights are saved.").waitFor();
  await page.getByText("Nothing is changed.").waitFor();
  expect(await service.must("GET", "account/users/erin/effective?zone=example.org")).toMatchObject({
    rights: expect.arrayContaining([expect.objectContaining({ right: "account.manage_users", allowed: false })]),
    scopes: [{ zones_allow_by_default: false, zones_allow: ["example.com"] }],
  });
  await page.getByRole("tab", { name: "Effective rights" }).click();
  await eventually(() => row(page, "account.manage_users").innerText()).toContain("own rights: set to may not");
  expect(await row(page, "account.manage_teams").innerText()).toContain("own rights: not set, so granted");
  expect(await row(page, "account.manage_auth_tags").innerText()).toMatch(
    /may not[\s\S]*no effect without manage_auth_keys/,
  );
  await page.getByRole("textbox", { name: "Zone", exact: true }).fill("example.org");
  await button(page, "Look it up").click();
  await eventually(() => page.getByRole("list", { name: "Would a request pass?" }).innerText()).toContain(
    "own rights: the zone is closed",
  );
  // left out again
  await page.getByRole("tab", { name: "Rights", exact: true }).click();
  await right("manage_users").getByText("not set", { exact: true }).click();
  await button(page, "Save the rights").click();
  await eventually(async () => JSON.stringify(await service.must("GET", "account/users/erin/effective"))).toContain(
    '{"right":"account.manage_users","allowed":true,"reasons":[{"team":null,"allowed":true,"reason":"left out"}]}',
  );
  expect(real(complaints)).toEqual([]);
});

test("a team gives its rights to its members, and is deleted by its name", async () => {
  await service.must("PUT", "account/users", { username: "finn", email: "finn@example.net" });
  const { page, complaints } = await portal.signedIn("/account/teams?new=1");
  await page.getByLabel("Name of the team").fill("readers");
  await button(page, "Only reading").click();
  await button(page, "Create the team").click();
  await page.getByRole("heading", { name: "readers" }).waitFor();
  await page.goto(`${service.url}/account/people?user=finn`);
  await page.getByRole("combobox", { name: "Teams" }).click();
  await page.getByRole("option", { name: "readers" }).click();
  await page.keyboard.press("Escape");
  await button(page, "Save the user").click();
  await page.getByText("The changes are saved.").waitFor();
  await page.getByRole("tab", { name: "Effective rights" }).click();
  await eventually(() => row(page, "dns.manage_zones").innerText()).toContain("readers: not set, so denied");
  await page.getByRole("navigation", { name: "Parts of the account" }).getByRole("link", { name: "Teams" }).click();
  await page.getByRole("link", { name: "readers" }).click();
  await page.getByRole("listitem").filter({ hasText: "finn" }).waitFor();
  await button(page, "Delete the team").click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("button", { name: "Delete the team" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Type readers to confirm").fill("readers");
  await dialog.getByRole("button", { name: "Delete the team" }).click();
  await page.getByText("The team readers is deleted.").waitFor();
  expect(await service.must("GET", "account/teams")).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

test("a key for one name is shown once, kept nowhere, works for that name alone, and is rotated", async () => {
  const { page, complaints } = await portal.signedIn("/account/keys?new=1");
  await page.getByLabel("Name of the key").fill("certbot");
  await page.getByRole("textbox", { name: "Zone" }).fill("nowhere..");
  await button(page, "Create the key").click();
  await eventually(() => page.getByRole("textbox", { name: "Zone" }).getAttribute("aria-invalid")).toBe("true");
  await page.getByRole("textbox", { name: "Zone" }).fill("example.com");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("www.example.com");
  await button(page, "Create the key").click();
  const key = await page.getByLabel("The new key").innerText();
  expect(await stored(page)).not.toContain(key);
  const write = (name: string, type: string, answer: string, used = key) => {
    const body = JSON.stringify({ zone: "example.com", domain: name, type, answers: [{ answer: [answer] }] });
    const sent = ["-X", "PUT", "-H", `X-SERVICE-Key: ${used}`, "-H", "Content-Type: application/json", "-d", body];
    const url = `${service.url}/v1/zones/example.com/${name}/${type}`;
    return execFileSync("curl", ["-sS", "-o", "/dev/null", "-w", "%{http_code}", ...sent, url], { encoding: "utf8" });
  };
  expect(write("_acme-challenge.www.example.com", "TXT", "token")).toBe("200");
  expect(write("www.example.com", "A", "192.0.2.1")).toBe("403");
  await eventually(() => service.ask("_acme-challenge.www.example.com TXT")).toHaveLength(1);

  await button(page, "I have stored it").click();
  await page.getByRole("tab", { name: "Secrets" }).click();
  await page.getByLabel("Days for which the earlier string stays valid").fill("0");
  await button(page, "Rotate the key").click();
  const next = await page.getByLabel("The new key").innerText();
  expect(next).not.toBe(key);
  await eventually(() => write("x.example.com", "A", "192.0.2.1")).toBe("401");
  expect(write("x.example.com", "A", "192.0.2.1", next)).toBe("403");
  expect(await stored(page)).not.toContain(next);
  expect(real(complaints)).toEqual([]);
});

test("a page that was left open asks for the password before it gives access, and goes on with what was typed", async () => {
  const { page, complaints } = await portal.signedIn("/account/keys?new=1");
  await page.getByLabel("Name of the key").fill("late");
  await page.getByRole("textbox", { name: "Zone" }).fill("example.com");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("late.example.com");
  const sql = new pg.Client((await runningPostgres(service.data))?.url);
  await sql.connect();
  await sql.query("update user_session set created = created - 1000");
  await sql.end();
  await page.waitForTimeout(1000);
  await button(page, "Create the key").click();
  const dialogue = page.getByRole("dialog", { name: "Your password, please" });
  await dialogue.getByLabel("Current password").fill("not the password");
  await dialogue.getByRole("button", { name: "Go on" }).click();
  await dialogue.getByText("wrong password").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await dialogue.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("This needs your password again.").waitFor();
  expect(await service.must("GET", "account/apikeys")).not.toContainEqual(expect.objectContaining({ name: "late" }));
  await button(page, "Create the key").click();
  await dialogue.getByLabel("Current password").fill(password);
  await dialogue.getByRole("button", { name: "Go on" }).click();
  await page.getByLabel("The new key").waitFor();
  expect(await service.must("GET", "account/apikeys")).toContainEqual(expect.objectContaining({ name: "late" }));
  expect(real(complaints)).toEqual([]);
});

test("an allow list that would lock its maker out is refused, and the service says who would get in", async () => {
  const { page, complaints } = await portal.signedIn("/account/allow-lists");
  await button(page, "New allow list").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name of the list").fill("office");
  await dialog.getByRole("textbox", { name: "Addresses" }).fill("192.0.2.0/24");
  await dialog.getByRole("button", { name: "Create the list" }).click();
  await dialog.getByText(/must include 127\.0\.0\.1, your current address/).waitFor();
  await dialog.getByRole("textbox", { name: "Addresses" }).fill("192.0.2.0/24\n127.0.0.1");
  await dialog.getByRole("button", { name: "Create the list" }).click();
  await row(page, "office").waitFor();
  for (const [address, answer] of [
    ["192.0.2.7", "admin gets in from 192.0.2.7."],
    ["198.51.100.7", "admin is kept out from 198.51.100.7."],
  ] as const) {
    await page.getByRole("textbox", { name: "Address", exact: true }).fill(address);
    await button(page, "Look it up").click();
    await page.getByText(answer).waitFor();
  }
  await button(page, "Delete the list office").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The list office is deleted.").waitFor();
  expect(await service.must("GET", "account/whitelist")).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

test("a TSIG key is made with a random secret, which is shown when it is asked for", async () => {
  const { page, complaints } = await portal.signedIn("/account/tsig");
  await button(page, "New TSIG key").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("transfer.example.com");
  await dialog.getByRole("button", { name: "Draw a random secret" }).click();
  const secret = await dialog.getByRole("textbox", { name: "Secret" }).inputValue();
  await dialog.getByRole("button", { name: "Create the key" }).click();
  await button(page, "Show the secret of transfer.example.com.").click();
  await page.getByText(secret, { exact: true }).waitFor();
  expect(await stored(page)).not.toContain(secret);
  expect(await service.must("GET", "tsig/transfer.example.com")).toMatchObject({ secret, algorithm: "hmac-sha256" });
  expect(real(complaints)).toEqual([]);
});

test("a changed password ends the other sessions, and a session is ended from the list", async () => {
  const changed = "another horse battery";
  const { page, complaints } = await portal.signedIn("/account/security");
  await page.getByLabel("Current password").fill(password);
  await page.locator("input[name=next]").fill(changed);
  await page.getByLabel("New password, again").fill(changed);
  await button(page, "Change the password").click();
  await page.getByText("The password is changed.").waitFor();
  await eventually(() => row(page, "Chrome on Linux").count()).toBe(1);
  const other = await portal.open("/account/security");
  await signIn(other.page, "admin", changed);
  await eventually(() => row(other.page, "Chrome on Linux").count()).toBe(2);
  await button(other.page, "End the session of Chrome on Linux").click();
  await other.page.getByText("The session is ended.").waitFor();
  await eventually(() => row(other.page, "Chrome on Linux").count()).toBe(1);
  // back, for the tests below
  await other.page.getByLabel("Current password").fill(changed);
  await other.page.locator("input[name=next]").fill(password);
  await other.page.getByLabel("New password, again").fill(password);
  await button(other.page, "Change the password").click();
  await other.page.getByText("The password is changed.").waitFor();
  expect([...real(complaints), ...real(other.complaints)]).toEqual([]);
});

test("all pages show times in the zone that the user chooses", async () => {
  const { page, complaints } = await portal.signedIn("/account/security");
  const zone = page.getByRole("combobox", { name: "Time zone of all times" });
  await zone.fill("Asia/Tok");
  await page.getByRole("option", { name: "Asia/Tokyo" }).click();
  await page.getByText(/^Now: .* GMT\+9$/).waitFor();
  await page.goto(`${service.url}/activity`);
  await eventually(() => page.getByRole("time").first().getAttribute("title")).toMatch(/ GMT\+9$/);
  expect(real(complaints)).toEqual([]);
});

test("an administrator sees the pages as another user, who is told which right a page needs", async () => {
  const rights = { default: "deny", dns: { view_zones: true } };
  await service.must("PUT", "account/users", { username: "gwen", email: "gwen@example.net", permissions: rights });
  const admin = await portal.signedIn("/account/people?user=gwen&tab=pages");
  const zones = admin.page.getByRole("row", { name: /^Zones/ });
  await eventually(() => zones.innerText()).toMatch(/opens[\s\S]*may not[\s\S]*dns\.manage_zones/);
  expect(await row(admin.page, "account.manage_apikeys").innerText()).toMatch(/^Keys[\s\S]*closed/);
  expect(await findingsOf(admin.page)).toEqual([]);
  expect(real(admin.complaints)).toEqual([]);

  const [mail] = await eventuallyMail("gwen@example.net");
  const [, token] = /#(\S+)/.exec(mail?.text ?? "") ?? [];
  await service.must("POST", "auth/invitation", { token, password });
  const { page, complaints } = await portal.open("/zones");
  await signIn(page, "gwen", password);
  await row(page, "example.com").waitFor();
  const giver = "A user who manages the users of your account can give it to you.";
  for (const [path, right] of [
    ["/account/people", "account.manage_users"],
    ["/account/keys", "account.manage_apikeys"],
    ["/account/teams", "account.manage_teams"],
    ["/account/allow-lists", "account.manage_ip_whitelist"],
    ["/account/contact", "account.manage_account_settings"],
    ["/account/people?user=admin", "account.manage_users"],
    ["/activity", "account.view_activity_log"],
    ["/feeds", "data.manage_datasources"],
  ] as const) {
    await page.goto(`${service.url}${path}`);
    await page
      .getByRole("alert")
      .filter({ hasText: `You need the right ${right}. ${giver}` })
      .waitFor();
    expect([path, await page.getByRole("table").count()]).toEqual([path, 0]);
  }
  for (const name of ["edges", "controls", "store", "configuration", "accounts"]) {
    await page.goto(`${service.url}/system/${name}`);
    await page.getByText("You need the right operator.view. The operator of the service can give it to you.").waitFor();
  }
  expect(await findingsOf(page)).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

const hostile = '<img src=x onerror="document.title=1">\u202e';
let made: Promise<unknown> | undefined;
/** Makes a team and a key with names of an attacker, once. */
const makeHostile = () => {
  const make = (path: string) => service.must("PUT", `account/${path}`, { name: hostile });
  made ??= Promise.all([make("teams"), make("apikeys")]);
  return made;
};
const pages = [
  ["people", "people?new=1", "people?user=admin&tab=effective&zone=example.com&address=192.0.2.1"],
  ["teams", "keys", "keys?new=1"],
  ["people?user=admin&tab=rights", "people?user=admin&tab=pages", "allow-lists"],
  ["security", "contact", "tsig"],
];

for (const scheme of ["light", "dark"] as const) {
  for (const some of pages) {
    test(`no serious finding, no complaint, not wider than a phone: ${scheme} ${some.join(", ")}`, async () => {
      await makeHostile();
      const { page, complaints } = await portal.signedIn("/account", { scheme, width: 390 });
      for (const path of some) {
        await page.goto(`${service.url}/account/${path}`);
        await page.getByRole("navigation", { name: "Parts of the account" }).waitFor();
        await page.waitForLoadState("networkidle");
        expect([path, await findingsOf(page)]).toEqual([path, []]);
        const isWide = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
        expect([path, isWide]).toEqual([path, false]);
      }
      expect(complaints).toEqual([]);
    });
  }
}
