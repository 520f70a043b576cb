/** Pages when a session ends, when the API fails or is slow, and with names and values of an attacker. */
import { setTimeout as delay } from "node:timers/promises";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { setPassword, withoutStore } from "./kit/browser.ts";
import { button, findingsOf, password, real, signIn, startPortal } from "./kit/portal.ts";

const portal = await startPortal();
const { service } = portal;
await service.zone("example.com");
await service.must("PUT", "account/users", { username: "dora", email: "dora@example.net" });
setPassword(service, "dora");

const stored = (page: Page) => page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
const fits = (page: Page) => page.evaluate("document.documentElement.scrollWidth <= innerWidth");
const address = (page: Page) => page.getByRole("textbox", { name: "address", exact: true });
const ended = (page: Page) => page.getByRole("dialog", { name: "Your session has ended" });

/** Ends all sessions of the first user, from another browser. */
async function endSessions(): Promise<void> {
  const { page } = await portal.signedIn("/account/security");
  await button(page, "End all other sessions").click();
  await page.getByText("All other sessions are ended.").waitFor();
  await page.context().close();
}

async function signOut(page: Page): Promise<void> {
  await button(page, /^You: /).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Fairlead" }).waitFor();
}

test("a session that ends while a form is open loses nothing that was typed", async () => {
  await service.put("example.com", "form.example.com A", ["192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/zones/example.com/form.example.com/A");
  await address(page).fill("192.0.2.2");
  await endSessions();
  await ended(page).waitFor();
  expect(await service.ask("form.example.com A")).toEqual(["form.example.com. 3600 IN A 192.0.2.1"]);
  expect(await findingsOf(page)).toEqual([]);
  await signIn(page, "admin", password);
  await ended(page).waitFor({ state: "hidden" });
  expect(await address(page).inputValue()).toBe("192.0.2.2");
  await button(page, "Save record").click();
  await page.getByText(/^Saved/).waitFor();
  await expect.poll(() => service.ask("form.example.com A")).toEqual(["form.example.com. 3600 IN A 192.0.2.2"]);

  // the tab is loaded again before the user signs in
  await address(page).fill("192.0.2.3");
  await endSessions();
  await page.reload();
  await signIn(page, "admin", password);
  await expect.poll(() => address(page).inputValue()).toBe("192.0.2.3");
  expect(new URL(page.url()).pathname).toBe("/zones/example.com/form.example.com/A");
  expect(await stored(page)).not.toContain(password);
  expect(real(complaints)).toEqual([]);
});

test("what was typed is wiped at sign-out, in all tabs, and when somebody else signs in", async () => {
  const { page, complaints } = await portal.signedIn("/feeds");
  const source = page.getByLabel("Name of the source");
  await source.fill("of admin");
  const other = await page.context().newPage();
  await other.goto(`${service.url}/feeds`);
  await other.getByLabel("Name of the feed").fill("of admin, too");
  await signOut(page);
  await other.getByRole("heading", { name: "Sign in to Fairlead" }).waitFor();
  for (const tab of [page, other]) expect(await stored(tab)).not.toContain("of admin");
  await other.close();

  await signIn(page, "admin", password);
  expect(await source.inputValue()).toBe("");
  await source.fill("of admin");
  await page.context().clearCookies();
  await source.fill("of admin again");
  await page.getByRole("link", { name: "Zones" }).first().click();
  await ended(page).waitFor();
  await signIn(page, "dora", password);
  await button(page, "You: dora").waitFor();
  expect(await stored(page)).not.toContain("of admin");
  expect(real(complaints)).toEqual([]);
});

const refuse =
  (status: number, headers: { [name: string]: string } = {}) =>
  (route: Route) =>
    route.fulfill({ status, headers, json: { message: "not now" } });
const zoneLink = (page: Page) => page.getByRole("cell", { name: "example.com", exact: true });
const notice = (page: Page, text: RegExp) => page.getByRole("status").filter({ hasText: text });

test("refusals of an overloaded service are said once, nothing untrue is shown, and pages heal", async () => {
  const { page } = await portal.signedIn("/zones");
  await zoneLink(page).waitFor();
  const list = "**/v1/zones?*";
  for (const [answer, text] of [
    [refuse(503), /does not answer some requests now \(503\)/],
    [refuse(429, { "Retry-After": "1" }), /asks to wait 1 s/],
    [(route: Route) => route.abort("connectionreset"), /cannot be reached/],
  ] as const) {
    await page.route(list, answer);
    await page.reload();
    await notice(page, text).waitFor();
    expect(await notice(page, text).count()).toBe(1);
    await page.getByText("This could not be read.").waitFor();
    for (const untrue of ["Begin with a zone", "No zone matches."])
      expect(await page.getByText(untrue).count()).toBe(0);
    expect(await findingsOf(page)).toEqual([]);
    await page.unroute(list);
    await zoneLink(page).waitFor();
    await notice(page, text).waitFor({ state: "hidden" });
  }
});

test("no page calls a list empty that was not read", async () => {
  const { page } = await portal.signedIn("/");
  await withoutStore(page);
  const account = ["people", "teams", "keys", "allow-lists", "tsig"].map((name) => `account/${name}`);
  for (const path of ["zones", "feeds", "analytics", "activity", "changes", "deletedzones", ...account]) {
    await page.goto(`${service.url}/${path}`);
    await notice(page, /does not answer some requests now/).waitFor();
    await page.getByRole("heading", { level: 1 }).waitFor();
    const shown = await page.locator("main").innerText();
    expect([path, /^(No|Nothing|Nobody|Begin|There (is|are) no)\b.*/m.exec(shown)?.[0]]).toEqual([path, undefined]);
    await page
      .getByText(/^(Loading|Still waiting|This could not be read)/)
      .or(page.locator(".mantine-datatable-loader"))
      .filter({ visible: true })
      .first()
      .waitFor();
  }
});

test("without a network old data stay and the page says so", async () => {
  const { page } = await portal.signedIn("/zones");
  await zoneLink(page).waitFor();
  await page.context().setOffline(true);
  await page.getByLabel("Part of a name").fill("exam");
  await notice(page, /cannot be reached/).waitFor();
  expect(await zoneLink(page).count()).toBe(1);
  await page.context().setOffline(false);
  await notice(page, /cannot be reached/).waitFor({ state: "hidden" });
  await zoneLink(page).waitFor();
});

test("a write whose answer is lost is not said to be saved, nor to have failed", async () => {
  await service.put("example.com", "cut.example.com A", ["192.0.2.1"]);
  const { page } = await portal.signedIn("/zones/example.com/cut.example.com/A");
  await address(page).fill("192.0.2.2");
  await page.route("**/v1/zones/example.com/cut.example.com/A", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await button(page, "Save record").click();
  await page.getByText(/look whether the change was made/).waitFor();
  expect(await page.getByText(/^Saved/).count()).toBe(0);
  expect(await address(page).inputValue()).toBe("192.0.2.2");
  await expect.poll(() => service.ask("cut.example.com A")).toEqual(["cut.example.com. 3600 IN A 192.0.2.2"]);
});

test("an answer that takes ten seconds is waited for, and the page says so", async () => {
  await service.put("example.com", "slow.example.com A", ["192.0.2.1"]);
  const { page } = await portal.signedIn("/feeds");
  await page.route(/\/v1\/zones\/example\.com\b/, async (route) => {
    await delay(10_000);
    await route.continue();
  });
  await page.goto(`${service.url}/zones/example.com`);
  await page.getByText("Loading …").waitFor();
  await page.getByText("Still waiting: the service has not answered yet.").waitFor();
  expect(await page.getByText(/no records|could not be read/i).count()).toBe(0);
  await page.getByRole("link", { name: "slow" }).waitFor({ timeout: 60_000 });
});

test("names and values of an attacker are text on every page", async () => {
  const markup = '<img src=x onerror="window.hit=1">';
  const turned = "\u202egnp.exe";
  const name = "<svg/onload=hit>.evil.example";
  const homograph = "xn--80ak6aa92e.example";
  await service.zone("evil.example", { tags: { [markup]: turned } });
  await service.zone(homograph);
  const note = { note: `${markup}${turned}` };
  const answers = [markup, turned, "A".repeat(4096)].map((text) => ({ answer: [text], meta: note }));
  await service.must("POST", "zones/evil.example/records", {
    put: ["evil.example", name].map((domain) => ({ domain, type: "TXT", answers })),
  });
  const source = await service.must("PUT", "data/sources", { name: markup, sourcetype: "nsone_v1" });
  await service.must("PUT", `data/feeds/${source["id"]}`, { name: `${turned}${markup}`, config: { label: markup } });
  const { page, complaints } = await portal.signedIn("/zones");
  const record = (domain: string) => `/zones/evil.example/${encodeURIComponent(domain)}/TXT`;
  const pages = {
    "/": markup,
    "/zones": markup,
    "/zones/evil.example": name.split(".")[0]!,
    // as in a zone file
    [record("evil.example")]: markup.replaceAll('"', '\\"'),
    [record(name)]: name,
    "/activity": markup,
    "/feeds": markup,
    [`/feeds/${source["id"]}`]: markup,
  };
  const text = () => page.locator("main").innerText();
  for (const [path, shown] of Object.entries(pages)) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(service.url + path);
    await expect.poll(text, { message: path }).toContain(shown);
    expect([path, await text()]).not.toEqual([path, expect.stringContaining("\u202e")]);
    const built = "document.querySelectorAll('[onerror], [onload], img[src=x]').length + (window.hit ?? 0)";
    expect([path, await page.evaluate(built)]).toEqual([path, 0]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => fits(page), { message: path }).toBe(true);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${service.url}/zones`);
  await page.getByText(homograph).hover();
  await page.getByRole("tooltip").filter({ hasText: "in Unicode: аррӏе.example" }).waitFor();
  await page.keyboard.press("/");
  await page.getByPlaceholder("Zones, records, answers, feeds, keys, people, pages").fill("evil.example");
  await page.getByRole("dialog").getByText(`${name} TXT`).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
