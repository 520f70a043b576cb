/** New zones: made here, from a file with wrong lines, copied and followed from other servers, and like another zone. */
import { expect, onTestFinished, test } from "vitest";
import { service as serviceOf } from "../service/kit.ts";
import { act, findingsOf, real, startPortal } from "./kit/portal.ts";

const portal = await startPortal({ flags: ["--egress-allow", "127.0.0.0/8,192.0.2.0/24"] });
const { service } = portal;

test("a newcomer makes a zone and its first record, which DNS answers", async () => {
  const { page, complaints } = await portal.signedIn("/newzone");
  await page.getByLabel(/^Name of the zone/).fill("first.example");
  await page.getByRole("button", { name: "Create the zone" }).click();
  await page.getByRole("heading", { name: "first.example" }).waitFor();
  await page.getByRole("button", { name: "Add records" }).click();
  await page.getByRole("textbox", { name: "Records, one a line" }).fill("www A 192.0.2.1");
  await page.getByRole("button", { name: "Save the record now" }).click();
  await expect.poll(() => service.ask("www.first.example A")).toEqual(["www.first.example. 3600 IN A 192.0.2.1"]);
  expect(complaints).toEqual([]);
});

test("a name that is taken, or is none, is refused at its field", async () => {
  await service.zone("taken.example");
  const { page } = await portal.signedIn("/newzone");
  const name = page.getByLabel(/^Name of the zone/);
  for (const [typed, message] of [
    ["taken.example", /already exists/],
    ["not a name", /blank or control character/],
  ] as const) {
    await name.fill(typed);
    await page.getByRole("button", { name: "Create the zone" }).click();
    await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
    await page.getByText(message).first().waitFor();
  }
});

test("a file of 10,000 records with three wrong lines names them, and then leaves them out", async () => {
  const good = Array.from({ length: 10_000 }, (_, i) => `h${i} A 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  const wrong = new Map([
    [100, "bad A 192.0.2.300"],
    [5000, "worse AAAA 192.0.2.1"],
    [9000, "worst MX mail"],
  ]);
  const body = good.map((line, at) => wrong.get(at) ?? line);
  const text = ["$ORIGIN file.example.", "$TTL 300", ...body].join("\n");
  const { page, complaints } = await portal.signedIn("/newzone?kind=file");
  await page.setInputFiles("input[type=file]", { name: "z.zone", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect.poll(() => page.getByLabel(/^Name of the zone/).inputValue()).toBe("file.example");
  await page.getByRole("button", { name: "How do I get the file from my provider?" }).click();
  await page.getByRole("combobox", { name: /^Provider/ }).click();
  await page.getByRole("option", { name: "PowerDNS" }).click();
  await page.getByText("pdnsutil list-zone file.example > file.example.zone").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Import the file" }).click();
  for (const at of wrong.keys()) await page.getByText(new RegExp(`^Line ${at + 3}: `)).waitFor();
  expect((await service.api("GET", "zones/file.example")).status).toBe(404);
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Import the other lines" }).click();
  await page.getByText("The zone file.example is there.").waitFor();
  await page.getByText(/line 103: .*left out/).waitFor();
  await page.getByRole("button", { name: "Open the zone" }).click();
  await page.getByText("100 of 9998").waitFor();
  await expect.poll(() => service.ask("h9999.file.example A")).toEqual(["h9999.file.example. 300 IN A 10.0.39.15"]);
  expect(real(complaints)).toEqual([]);
});

test("a zone is copied from another server by one transfer, with messages when that fails", async () => {
  const server = await serviceOf();
  onTestFinished(async () => void (await server.stop()));
  const secret = Buffer.from("known to both sides").toString("base64");
  await server.must("PUT", "tsig/moves.key", { algorithm: "hmac-sha256", secret });
  await server.zone("moved.example", {
    primary: { enabled: true, secondaries: [{ ip: "127.0.0.1", notify: false, tsig_key: "moves.key" }] },
  });
  await server.put("moved.example", "www.moved.example A", ["192.0.2.1"], ["192.0.2.2"]);
  await expect.poll(() => server.ask("www.moved.example A")).toHaveLength(2);

  const { page, complaints } = await portal.signedIn("/newzone?kind=transfer");
  await page.getByLabel(/^Name of the zone/).fill("moved.example");
  await page.getByLabel(/^Address/).fill("127.0.0.1");
  await page.getByLabel(/^Port/).fill(`${server.port}`);
  await act(page, "Copy the zone");
  await page.getByText(new RegExp(`^127\\.0\\.0\\.1 port ${server.port}: .*REFUSED`)).waitFor();
  expect((await service.api("GET", "zones/moved.example")).status).toBe(404);

  await page.getByLabel(/^Sign with TSIG/).check();
  await page.getByLabel("Name of the key").fill("moves.key");
  await page.getByLabel("Secret (base64)").fill(secret);
  expect(await findingsOf(page)).toEqual([]);
  await act(page, "Copy the zone");
  await page.getByText("The zone moved.example is there.").waitFor();
  await page.getByText(/NS records at the apex are replaced/).waitFor();
  await act(page, "Open the zone");
  await page.getByRole("button", { name: "Add records" }).waitFor();
  await expect.poll(() => service.ask("www.moved.example A")).toHaveLength(2);
  const { secondary } = await service.must<{ secondary: unknown }>("GET", "zones/moved.example");
  expect(secondary).toBeNull();
  await page.goto(`${service.url}/newzone?kind=transfer`);
  expect(await page.getByLabel(/^Address/).inputValue()).toBe("");
  expect(real(complaints)).toEqual([]);
});

test("a zone comes from another server, or answers like another zone", async () => {
  await service.zone("target.example");
  await service.put("target.example", "www.target.example A", ["192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/newzone?kind=linked");
  await page.getByLabel(/^Name of the zone/).fill("alias.example");
  await page.getByLabel(/^Zone to answer like/).fill("target.example");
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Create the zone" }).click();
  await page.getByText(/The records are those of target.example/).waitFor();
  await expect.poll(() => service.ask("www.alias.example A")).toEqual(["www.alias.example. 3600 IN A 192.0.2.1"]);

  await page.goto(`${service.url}/newzone?kind=secondary`);
  await page.getByLabel(/^Name of the zone/).fill("second.example");
  await page.getByLabel(/^Address/).fill("192.0.2.53");
  await page.getByLabel(/^Sign with TSIG/).check();
  await page.getByLabel("Name of the key").fill("k.example");
  await page.getByLabel("Secret (base64)").fill("c2VjcmV0");
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Create the zone" }).click();
  await page.getByText("The records come from another server and cannot be changed here.").waitFor();
  const { secondary } = await service.must<{ secondary: unknown }>("GET", "zones/second.example");
  expect(secondary).toMatchObject({ primary_ip: "192.0.2.53", tsig: { name: "k.example.", hash: "hmac-sha256" } });
  expect(complaints).toEqual([]);
});
