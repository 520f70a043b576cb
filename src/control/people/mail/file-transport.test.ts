import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readMail } from "../../../../test/service/mails.ts";
import { fileTransport } from "./file-transport.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-outbox-"));
afterAll(() => rmSync(directory, { recursive: true }));

test("a person can copy links from a file's text, and mail programs read the same text", async () => {
  const link = `https://dns.example.net/invitation#${"token-".repeat(40)}`;
  const text = `For Zo\u00eb:\n\n${link}\n\nUntil tomorrow = soon.\n`;
  const message = { to: "zoe@example.net", subject: "A link", text, html: `<p>${link}</p>` };
  await fileTransport(directory, "fairlead@example.net").send("one", message, AbortSignal.timeout(10_000));
  const octets = readFileSync(join(directory, "one.eml"));
  expect(octets.toString().split("\r\n")).toContain(link);
  const mail = await readMail(octets);
  expect([mail.text?.replaceAll("\r\n", "\n").trim(), mail.html?.trim()]).toEqual([text.trim(), message.html]);
});
