/** A workbook (ECMA-376), written row by row; a library would hold the whole of it in memory. */
import type { Zip, ZipDeflate } from "fflate";
import { LongWork } from "../../../lib/fair/yield.ts";
import { clipped, markup, visible } from "../../../lib/text/text.ts";
import type { ActivityRow } from "../../write/activity/store.ts";
import { columns } from "./columns.ts";
import type { Format, Report } from "./report.ts";

export const xlsx: Format = {
  mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  extension: "xlsx",
  most: 50_000,
  write,
};

/** The maximum number of characters in a cell. */
const mostCell = 32_767;
/** The approximate number of octets of XML that are compressed at once. */
const pieceOctets = 64 * 1024;
const styles = { heading: 1, time: 2 };

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** All files of the workbook except the sheet. */
const parts: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Activity" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE8ECF2"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" fillId="2" applyFont="1" applyFill="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
};

async function* write(report: Report): AsyncGenerator<Uint8Array> {
  const { Zip, ZipDeflate } = await import("fflate");
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    ready.push(piece);
  });
  const begin = (name: string) => open(zip, new ZipDeflate(name), report.made);
  for (const [name, text] of Object.entries(parts)) begin(name).push(Buffer.from(xml + text), true);
  const sheet = begin("xl/worksheets/sheet1.xml");
  const work = new LongWork();
  let waiting = "";
  for await (const text of printSheet(report)) {
    waiting += text;
    if (waiting.length < pieceOctets) continue;
    sheet.push(Buffer.from(waiting));
    waiting = "";
    yield* ready.splice(0);
    await work.giveWay();
  }
  sheet.push(Buffer.from(waiting), true);
  zip.end();
  yield* ready;
}

function open(zip: Zip, file: ZipDeflate, made: number): ZipDeflate {
  file.mtime = made * 1000;
  zip.add(file);
  return file;
}

async function* printSheet(report: Report): AsyncGenerator<string> {
  const widths = [20, ...columns.map(({ width }) => width)];
  const cols = widths.map((width, n) => `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`);
  yield `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols.join("")}</cols><sheetData>`;
  yield rowOf(["time (UTC)", ...columns.map(({ name }) => name)].map((name) => textCell(name, styles.heading)));
  for await (const row of report.rows()) yield rowOf(cellsOf(row));
  const note = report.note();
  if (note !== undefined) yield rowOf([textCell(note)]);
  yield "</sheetData></worksheet>";
}

const rowOf = (cells: readonly string[]) => `<row>${cells.join("")}</row>`;

const cellsOf = (row: ActivityRow) => [timeCell(row.timestamp), ...columns.map(({ of }) => textCell(of(row)))];

/** Workbooks count days since the end of 1899. */
const timeCell = (seconds: number) => `<c s="${styles.time}"><v>${seconds / 86_400 + 25_569}</v></c>`;

/** A cell with text, which is never taken for a formula. */
function textCell(text: string, style = 0): string {
  if (text === "") return "<c/>";
  // ECMA-376 part 1, 22.9.2.19: text that looks like an escape is escaped
  const safe = clipped(visible(text), mostCell).replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_");
  return `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${markup(safe)}</t></is></c>`;
}
