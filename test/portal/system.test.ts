/** The pages of the operator: edges, control processes, the store, the configuration, and accounts. */
import { expect, test } from "vitest";
import { findingsOf, real, startPortal } from "./kit/portal.ts";

const portal = await startPortal({
  flags: ["--smtp", "smtp://user:geheim@127.0.0.1:9/", "--mail-from", "dns@example.net"],
});
const { service } = portal;
await service.zone("example.com");

interface Edge {
  readonly id: string;
  readonly version: string;
}

test("edges, control processes and the store are shown as the API has them", async () => {
  await expect.poll(() => service.must<Edge[]>("GET", "operator/edges"), { timeout: 60_000 }).toHaveLength(1);
  const [edge] = await service.must<Edge[]>("GET", "operator/edges");
  const { page, complaints } = await portal.signedIn("/system/edges");
  const row = page.getByRole("row").filter({ hasText: edge!.id });
  await expect
    .poll(() => row.innerText())
    .toMatch(new RegExp(`in order[\\s\\S]*${edge!.version.replaceAll(".", "\\.")}`));
  expect(await findingsOf(page)).toEqual([]);
  const here = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]:visible");
  expect(await here.allInnerTexts()).toEqual(["System"]);
  await page.getByRole("link", { name: "Control" }).click();
  await page.getByText("answers this page").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Store" }).click();
  const { schema } = await service.must<{ schema: string }>("GET", "operator/store");
  await page.getByText(schema, { exact: true }).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

test("the configuration says where each setting comes from, and shows no secret", async () => {
  const { page, complaints } = await portal.signedIn("/system/configuration");
  const row = page.getByRole("row").filter({ has: page.getByText("smtp", { exact: true }) });
  await expect.poll(() => row.innerText()).toMatch(/^smtp\s+set\s+flag/);
  expect(await page.content()).not.toContain("geheim");
  await page.getByRole("switch", { name: "Only what differs from the default" }).click();
  await expect.poll(() => page.getByRole("row").filter({ hasText: "default" }).count()).toBe(0);
  await row.waitFor();
  expect(await findingsOf(page)).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

test("accounts are listed with what they have, and without the right the page says which one it needs", async () => {
  const { page, complaints } = await portal.signedIn("/system/accounts");
  await page.getByText("operator", { exact: true }).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  const permissions = { operator: { view: false, manage: false } };
  await service.must("POST", "account/users/admin", { permissions });
  await page.reload();
  await page.getByText(/You need the right operator\.view/).waitFor();
  expect(real(complaints)).toEqual([]);
});
