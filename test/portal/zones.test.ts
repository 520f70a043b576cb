/** The list of zones: many at once, what needs attention, and zones that are exchanged with another server. */
import { expect, onTestFinished, test } from "vitest";
import { answering, type Sections } from "../network/answering.ts";
import { service as serviceOf } from "../service/kit.ts";
import { act, findingsOf, real, startPortal } from "./kit/portal.ts";

// the other server is on this machine, too
const flags = ["--egress-allow", "127.0.0.0/8"];
/** The answers of the public DNS, by name and type. */
const published: Record<string, Sections> = {};
const resolver = await answering(published);
const portal = await startPortal({ flags: [...flags, "--resolver", `127.0.0.1:${resolver}`] });
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
  await page.getByRole("option", { name: "off", exact: true }).click();
  await expect.poll(() => page.getByRole("cell", { name: "off", exact: true }).count(), patience).toBe(3);
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
  await page.getByText("Expires, if no try succeeds").waitFor();
  await page.getByText("in 14 days").waitFor();
  const { serial } = await server.must<{ serial: number }>("GET", "zones/in.example");
  await page.getByText(`${serial}`, { exact: true }).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

test("a zone that was never transferred has no serial, and says what DNS answers", async () => {
  await service.zone("never.example", { secondary: { enabled: true, primary_ip: "127.0.0.1", primary_port: 1 } });
  const { page, complaints } = await portal.signedIn("/zones?q=never.example");
  const row = page.getByRole("row", { name: /never\.example/ });
  await row.getByText("never transferred", { exact: true }).waitFor();
  await row.getByText("none yet", { exact: true }).waitFor();
  await page.goto(`${service.url}/zones/never.example?tab=transfers`);
  await page.getByText("never transferred: DNS answers SERVFAIL").waitFor();
  await page.getByText("no serial yet", { exact: true }).waitFor();
  await expect.poll(() => service.dig("never.example SOA"), patience).toContain("status: SERVFAIL");
  expect(await findingsOf(page)).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

test("the delegation says what the parent names, what to set there, and that it was set", async () => {
  await service.zone("found.example");
  const { dns_servers } = await service.must<{ dns_servers: string[] }>("GET", "zones/found.example");
  const [A, NS] = [1, 2];
  // no server of the parent can be asked, so the resolver's view counts
  published[`example. ${NS}`] = { answer: ["example. 300 NS a.example."] };
  published[`a.example. ${A}`] = { answer: ["a.example. 300 A 10.0.0.1"] };
  published[`found.example. ${NS}`] = { answer: ["found.example. 300 NS old.example.org."] };
  const { page, complaints } = await portal.signedIn("/zones/found.example?tab=settings");
  await act(page, "Look at the parent now");
  await page.getByText("found.example is delegated to old.example.org").waitFor();
  await page.getByRole("listitem").filter({ hasText: "old.example.org" }).waitFor();
  const lines = page.getByText(/^found\.example\. 86400 IN NS /);
  for (const server of dns_servers) expect(await lines.innerText()).toContain(`IN NS ${server}.`);
  expect(await findingsOf(page)).toEqual([]);
  published[`found.example. ${NS}`] = { answer: dns_servers.map((name) => `found.example. 300 NS ${name}.`) };
  await act(page, "Look at the parent now");
  await page.getByText("delegated", { exact: true }).waitFor();
  expect(await page.getByText("old.example.org").count()).toBe(0);
  expect(await service.must("GET", "zones/found.example/delegation")).toMatchObject({ state: "delegated" });
  expect(real(complaints)).toEqual([]);
});
