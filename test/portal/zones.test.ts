/** The list of zones: many at once, what needs attention, and zones that are exchanged with another server. */
import { expect, onTestFinished, test } from "vitest";
import { service as serviceOf } from "../service/kit.ts";
import { act, findingsOf, real, startPortal } from "./kit/portal.ts";

// the other server is on this machine, too
const flags = ["--egress-allow", "127.0.0.0/8"];
const portal = await startPortal({ flags });
const { service } = portal;

/** Notices of changes that failed and are sent again, and transfers, take their time. */
const patience = { timeout: 60_000 };

test("three zones are answered no more, answered again, deleted, and one of them is brought back", async () => {
  for (const zone of ["a.many.example", "b.many.example", "c.many.example", "other.example"]) {
    await service.zone(zone);
    await service.put(zone, `www.${zone} A`, ["192.0.2.1"]);
  }
  const answered = async () => {
    const texts = await Promise.all(["a", "b", "c"].map((name) => service.ask(`www.${name}.many.example A`)));
    return texts.flat().length;
  };
  await expect.poll(answered, patience).toBe(3);
  const { page, complaints } = await portal.signedIn("/zones");
  await page.getByLabel("Part of a name").fill("many");
  await expect.poll(() => page.getByText("other.example", { exact: true }).count(), patience).toBe(0);
  const select = () => page.getByRole("checkbox", { name: "Select all rows in view" }).check();
  await select();
  await page.getByText("3 selected").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await act(page, "Stop answering");
  await page.getByText(/^3 zones changed/).waitFor();
  await expect.poll(answered, patience).toBe(0);
  const state = page.getByRole("combobox", { name: "Any state" });
  await state.click();
  await page.getByRole("option", { name: "not answered" }).click();
  await expect.poll(() => page.getByText("not answered", { exact: true }).count(), patience).toBeGreaterThan(3);
  await select();
  await act(page, "Answer again");
  await expect.poll(answered, patience).toBe(3);
  await page.goto(`${service.url}/zones?q=many`);
  await page.getByText("a.many.example", { exact: true }).waitFor();
  await select();
  await act(page, "Delete zones");
  await page.getByRole("dialog").getByRole("button", { name: "Delete zones" }).click();
  await page.getByText(/^3 zones deleted/).waitFor();
  await expect.poll(answered, patience).toBe(0);
  await page.getByRole("link", { name: "Deleted zones" }).click();
  await page
    .getByRole("row", { name: /b\.many\.example/ })
    .getByRole("button", { name: /^Bring back/ })
    .click();
  await expect.poll(answered, patience).toBe(1);
  expect(await service.ask("www.other.example A")).toHaveLength(1);
  expect(real(complaints)).toEqual([]);
});

test("a mistake in a zone is found on the dashboard, which leads to it", async () => {
  await service.zone("wrong.example");
  await service.put("wrong.example", "www.wrong.example CNAME", ["gone.wrong.example"]);
  const { page, complaints } = await portal.signedIn("/");
  const item = page.getByText(/The zone wrong\.example has 1 probable mistake/);
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole("heading", { name: "Needs attention" }).waitFor();
      await page.waitForLoadState("networkidle");
      return await item.count();
    }, patience)
    .toBe(1);
  await item.getByRole("link", { name: "wrong.example", exact: true }).click();
  await page.getByText(/gone\.wrong\.example does not exist in your zones/).waitFor();
  expect(real(complaints)).toEqual([]);
});

test("another server gets a zone, and gives one, whose serials and expiry are shown", async () => {
  const server = await serviceOf({ flags });
  onTestFinished(async () => void (await server.stop()));
  await service.zone("out.example");
  await service.put("out.example", "www.out.example A", ["192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/zones/out.example?tab=transfers");
  await act(page, "Add a server");
  const first = page.getByRole("group", { name: "Server 1" });
  await first.getByLabel("Address").fill("127.0.0.1");
  await first.getByLabel("Port").fill(`${server.port}`);
  await act(page, "Save the servers");
  await expect
    .poll(() => service.must("GET", "zones/out.example"), patience)
    .toMatchObject({ primary: { enabled: true, secondaries: [{ ip: "127.0.0.1", port: server.port, notify: true }] } });
  const from = (port: number) => ({ secondary: { enabled: true, primary_ip: "127.0.0.1", primary_port: port } });
  await server.zone("out.example", from(service.port));
  await expect.poll(() => server.ask("www.out.example A"), patience).toHaveLength(1);
  await service.put("out.example", "www.out.example A", ["192.0.2.1"], ["192.0.2.2"]);
  await expect.poll(() => server.ask("www.out.example A"), patience).toHaveLength(2);

  const secondaries = [{ ip: "127.0.0.1", port: service.port, notify: true }];
  await server.zone("in.example", { primary: { enabled: true, secondaries } });
  await service.zone("in.example", from(server.port));
  await page.goto(`${service.url}/zones/in.example?tab=transfers`);
  await page.getByText("in order").waitFor();
  await page.getByText("expires, if no try succeeds").waitFor();
  await page.getByText("in 14 days").waitFor();
  const { serial } = await server.must<{ serial: number }>("GET", "zones/in.example");
  await page.getByText(`${serial}`, { exact: true }).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  expect(real(complaints)).toEqual([]);
});
