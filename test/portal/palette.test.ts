/** The palette: everything with a name is found by keys alone, and commands are given. */
import { expect, test } from "vitest";
import { findingsOf, startPortal } from "./kit/portal.ts";

const portal = await startPortal();
const { service } = portal;
await service.zone("found.example");
await service.put("found.example", "www.found.example A", ["192.0.2.77"]);
const source = await service.must<{ id: string }>("PUT", "data/sources", { name: "probes", sourcetype: "nsone_v1" });
await service.must("PUT", `data/feeds/${source.id}`, { name: "frankfurt", config: { label: "fra" } });
const key = await service.must<{ id: string }>("PUT", "account/apikeys", { name: "deployment" });

test("records by name and answer, feeds, keys and users are found and opened by keys", async () => {
  const { page, complaints } = await portal.signedIn("/");
  const find = async (text: string, label: RegExp) => {
    await page.keyboard.press("/");
    const field = page.getByRole("textbox", { name: "Search or command" });
    // what is typed while the page still loads may be lost
    const isFound = async () => {
      if ((await field.inputValue()) !== text) await field.fill(text);
      return page.getByRole("button", { name: label }).isVisible();
    };
    await expect.poll(isFound).toBe(true);
    // a list that is read again meanwhile loses the choice
    const chosen = page.locator("[role=dialog] [data-selected]");
    const choice = async () => {
      if ((await chosen.count()) === 0) await field.press("ArrowDown");
      return (await chosen.allInnerTexts()).join();
    };
    await expect.poll(choice).toMatch(label);
    await field.press("Enter");
    await field.waitFor({ state: "detached" });
  };
  const path = () => new URL(page.url()).pathname;
  await find("www.found", /^www\.found\.example A/);
  await expect.poll(path).toBe("/zones/found.example/www.found.example/A");
  await page.getByRole("heading", { level: 1 }).click();
  await find("frankf", /^frankfurt/);
  await expect.poll(path).toBe(`/feeds/${source.id}`);
  await page.getByRole("heading", { level: 1 }).click();
  await find("deploym", /^deployment/);
  await expect.poll(() => page.url()).toContain(`/account/keys?key=${key.id}`);
  await page.getByRole("heading", { level: 1 }).click();
  await find("admin", /^admin/);
  await expect.poll(() => page.url()).toContain("/account/people?user=admin");
  await page.getByRole("heading", { level: 1 }).click();
  await find("192.0.2.77", /^www\.found\.example A/);
  await expect.poll(path).toBe("/zones/found.example/www.found.example/A");
  expect(await findingsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("commands change the colours and sign out", async () => {
  const { page, complaints } = await portal.signedIn("/zones");
  const give = async (command: string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("textbox", { name: "Search or command" }).fill(command);
    await page.getByRole("button", { name: command, exact: true }).click();
  };
  await give("Dark");
  await expect.poll(() => page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
  expect(await findingsOf(page)).toEqual([]);
  await give("Sign out");
  await page.getByLabel("User name").waitFor();
  expect(complaints).toEqual([]);
});
