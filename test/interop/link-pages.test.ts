/** The pages behind links in mails, in a real browser: their fields, texts and actions. */
import { expect, test } from "vitest";
import { freePort } from "../machine/processes.ts";
import { startApi } from "../service/api.ts";
import { Browser, goodPassword, invited } from "../service/browser.ts";
import { openTab } from "../service/chromium.ts";

const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const api = await startApi({ listen: { address: "127.0.0.1", port }, publicUrl });
const tab = await openTab();

const message = () => tab.read<string>("document.querySelector('[role=status]').textContent");
const isAsking = () => tab.read<boolean>("!document.querySelector('form').hidden");
const type = (password: string, again: string) =>
  tab.read(`{
    document.querySelector("#password").value = ${JSON.stringify(password)};
    document.querySelector("#again").value = ${JSON.stringify(again)};
    document.querySelector("button").click();
  }`);

test("a link in a mail leads to a page that sets the password, and starts no session", async () => {
  const user = await invited(api);
  await tab.open(`${publicUrl}/invitation#${user.token}`);
  expect(await tab.read("document.title")).toBe("Choose your password \u00b7 Fairlead");
  expect(await isAsking()).toBe(true);
  expect(await tab.read("location.href")).toBe(`${publicUrl}/invitation`);
  await type(goodPassword, `${goodPassword}.`);
  await expect.poll(message).toBe("The two passwords differ.");
  await type(`${user.username}`, user.username);
  await expect.poll(message).toMatch(/^The password must not repeat .* the user name\.$/);
  await type(goodPassword, goodPassword);
  await expect.poll(message).toContain(`You can now sign in as ${user.username}`);
  expect(await isAsking()).toBe(false);
  const sessions = api.store.db.selectFrom("user_session").select("id").where("user_id", "=", user.id);
  await expect.poll(() => sessions.execute()).toEqual([]);
  const page = new Browser(api.url, { Origin: publicUrl });
  expect((await page.signIn(user.username, goodPassword)).status).toBe(200);
  await tab.open(`${publicUrl}/invitation?again#${user.token}`);
  await type("another horse battery", "another horse battery");
  await expect.poll(message).toMatch(/^This link was already used or has expired\./);
  expect(await isAsking()).toBe(false);
});

test("an incomplete link is reported, and the page follows its own content security policy", async () => {
  await tab.open(`${publicUrl}/reset`);
  expect(await message()).toContain("This link is incomplete");
  expect(await isAsking()).toBe(false);
  expect(await tab.read("getComputedStyle(document.querySelector('main')).maxWidth")).toBe("400px");
  await tab.open(`${publicUrl}/reset#not-a-token`);
  await type(goodPassword, goodPassword);
  await expect.poll(message).toMatch(/^This link was already used/);
  // the browser itself logs error replies
  expect(tab.complaints.filter((text) => !text.includes("the server responded with a status of 4"))).toEqual([]);
});
