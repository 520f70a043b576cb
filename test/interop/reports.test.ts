/** Reports of the activity log as third-party software reads them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterAll, expect, test } from "vitest";
import { pdf } from "../../src/control/activity/reports/pdf.ts";
import { entriesWritten } from "../../src/control/write/activity/store.ts";
import { newId } from "../../src/lib/ids.ts";
import { output } from "../machine/processes.ts";
import { startApi } from "../service/api.ts";

const api = await startApi();
const { id: account_id } = await api.store.db.selectFrom("account").select("id").executeTakeFirstOrThrow();
const directory = mkdtempSync(join(tmpdir(), "fairlead-reports-"));
afterAll(() => rmSync(directory, { recursive: true }));

const names = ["=1+1", "<b>Σίσυφος & Жук</b>", "中文", "_x000D_", "a\u001b[31m", "שלום a.b", "x\u202ey\tz"];
for (const name of names) await api.must("PUT", "account/apikeys", { name });
await api.must("PUT", "zones/a.example", { zone: "a.example" });
await api.must("POST", "zones/a.example", { nx_ttl: 60 });

async function saved(query: string): Promise<string> {
  const reply = await fetch(`${api.url}/v1/account/activity?${query}`, { headers: { "X-NSONE-Key": api.key } });
  expect(reply.status).toBe(200);
  const path = join(directory, newId());
  writeFileSync(path, Buffer.from(await reply.arrayBuffer()));
  return path;
}

test("PDF: text is readable, also in other scripts, and characters outside the font are printed by number", async () => {
  const path = await saved("export=pdf");
  const text = await output("pdftotext", ["-layout", path, "-"]);
  expect(text).toMatch(/Activity log\n/);
  expect(text).toMatch(/Page 1 of 1/);
  expect(text).toContain("nx_ttl: 3600 → 60");
  expect(text).toContain("<b>Σίσυφος & Жук</b>");
  expect(text).toContain("\\u{4e2d}\\u{6587}");
  // right-to-left text would be set in the wrong order, so it and direction marks are printed by number
  expect(text).toContain("\\u{5e9}\\u{5dc}\\u{5d5}\\u{5dd} a.b");
  expect(text).toContain("x\\u{202e}y z");
  expect(text).toContain("first key (apikey)");
  const fonts = await output("pdffonts", [path]);
  expect(fonts.match(/DejaVuSansCondensed\S* +CID TrueType +\S+ +yes/g)).toHaveLength(2);
});

test("PDF: a truncated report says that it is truncated, and has its heading on every page", async () => {
  const rows = Array.from({ length: pdf.most + 1 }, (_, n) => ({
    ...{ account_id, id: newId(), timestamp: 1000 + n, resource_type: "many", resource_id: `r${n}`, user_id: "u" },
    ...{ user_name: "u", user_type: "user", action: "update", address: null, zone: "", resource: {}, before: null },
  }));
  await api.store.db.executeQuery(entriesWritten.write(rows));
  const text = await output("pdftotext", ["-layout", await saved("export=pdf&resource_type=many"), "-"]);
  const pages = Number(/Page 1 of (\d+)/.exec(text)?.[1]);
  expect(pages).toBeGreaterThan(20);
  expect(text.match(/Time \(UTC\) +Who +Action +What +Details/g)).toHaveLength(pages);
  expect(text).toContain(`These are the newest ${pdf.most} entries.`);
  expect(text).toMatch(/\br1\b/);
  expect(text).not.toMatch(/\br0\b/);
});

interface Cell {
  readonly "@_t"?: string;
  readonly v?: number;
  readonly is?: { readonly t: { readonly "#text": string } };
  readonly f?: unknown;
}

test("XLSX: a valid archive, whose sheet has times as times and everything else as text", async () => {
  const path = await saved("export=xslx&resource_type=apikey");
  await output("unzip", ["-t", path]);
  const parts = (await output("unzip", ["-Z1", path])).trim().split("\n");
  for (const part of parts) {
    const text = await output("unzip", ["-p", path, part.replaceAll("[", "\\[")]);
    expect(XMLValidator.validate(text), part).toBe(true);
  }
  const sheet = await output("unzip", ["-p", path, "xl/worksheets/sheet1.xml"]);
  expect(sheet).toContain('state="frozen"');
  const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: true, alwaysCreateTextNode: false });
  const rows: { c: Cell[] }[] = parser.parse(sheet).worksheet.sheetData.row;
  const [heading, ...entries] = rows.map(({ c }) => c.map((cell) => cell.is?.t["#text"] ?? cell.v ?? ""));
  expect(heading?.slice(0, 3)).toEqual(["time (UTC)", "resource_type", "action"]);
  expect(entries).toHaveLength(names.length);
  const at = heading!.indexOf("resource");
  const texts = entries.map((cells) => String(cells[at])).toReversed();
  expect(texts.map((text) => JSON.parse(text).name)).toEqual([
    ...names.slice(0, 3),
    "_x005F_x000D_",
    ...names.slice(4),
  ]);
  expect(sheet).not.toContain("<f>");
  const days = Number(entries[0]![0]);
  expect(Math.abs((days - 25_569) * 86_400 - Date.now() / 1000)).toBeLessThan(600);
});
