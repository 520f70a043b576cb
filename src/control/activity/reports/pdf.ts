/** Pages for printing or filing: a table with wrapped rows and a heading on every page. */

import { fileURLToPath } from "node:url";
import { timeText } from "../../../lib/clock.ts";
import { LongWork } from "../../../lib/fair/yield.ts";
import { clipped, escaped, oneLine, plain, visible } from "../../../lib/text/text.ts";
import type { ActivityRow } from "../../write/activity/store.ts";
import type { Format, Report } from "./report.ts";
import { nameOf, whoOf, wordsOf } from "./words.ts";

export const pdf: Format = {
  mediaType: "application/pdf",
  extension: "pdf",
  // laying out text is slow
  most: 2000,
  write,
};

type Document = InstanceType<typeof import("pdfkit")>;

const margin = 36;
const padding = 4;
const mostCell = 1000;
const colours = { text: "#1c2330", faint: "#5b6575", heading: "#e8ecf2", line: "#d5dbe5" };
/** The widths fill an A4 page in landscape. */
const table = [
  { title: "Time (UTC)", width: 92, of: (row: ActivityRow) => timeText(row.timestamp) },
  { title: "Who", width: 140, of: (row: ActivityRow) => [whoOf(row), row.address].filter(Boolean).join("\n") },
  { title: "Action", width: 92, of: (row: ActivityRow) => row.action },
  { title: "What", width: 170, of: (row: ActivityRow) => `${nameOf(row)}\n${row.resource_type}` },
  { title: "Details", width: 275, of: wordsOf },
] as const;

const fontFile = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));

async function* write(report: Report): AsyncGenerator<Uint8Array> {
  const { default: PDFDocument } = await import("pdfkit");
  const { openSync } = await import("fontkit");
  const files = { regular: fontFile("DejaVuSansCondensed"), bold: fontFile("DejaVuSansCondensed-Bold") };
  const font = openSync(files.regular);
  const hasGlyph = (point: number) => "hasGlyphForCodePoint" in font && font.hasGlyphForCodePoint(point);
  const doc = new PDFDocument({
    // a font given here by its path would not be found by its name, but opened again each time
    ...{ size: "A4", layout: "landscape", margin, bufferPages: true, autoFirstPage: false, font: "" },
    info: { Title: "Activity log", CreationDate: new Date(report.made * 1000) },
  });
  const pieces: Uint8Array[] = [];
  doc.on("data", (piece: Uint8Array) => pieces.push(piece));
  const ended = new Promise((done) => doc.on("end", done));
  doc.registerFont("regular", files.regular).registerFont("bold", files.bold);
  const work = new LongWork();
  const print = (text: string) => clipped(printable(clipped(text, mostCell), hasGlyph), mostCell);
  let y = beginPage(doc, report, print);
  for await (const row of report.rows()) {
    const cells = table.map(({ of }) => print(of(row)));
    y = addRow(doc, y, cells);
    await work.giveWay();
  }
  const note = report.note();
  if (note !== undefined) addNote(doc, y, note);
  numberPages(doc);
  doc.end();
  await ended;
  yield* pieces;
}

/** Returns the position of the first row. */
function beginPage(doc: Document, { made, filters }: Report, print: (text: string) => string): number {
  doc.addPage();
  doc.font("bold", 16).fillColor(colours.text).text("Activity log", margin, margin);
  const about = [`${timeText(made)} UTC`, ...filters].map(oneLine).join("  \u00b7  ");
  doc.font("regular", 8).fillColor(colours.faint).text(print(about));
  return addHeading(doc, doc.y + 8);
}

function addHeading(doc: Document, y: number): number {
  const height = 18;
  doc.rect(margin, y, widthOf(doc), height).fill(colours.heading);
  doc.font("bold", 8).fillColor(colours.text);
  eachCell((n, x, width) => doc.text(table[n]!.title, x + padding, y + 5, { width: width - 2 * padding }));
  return y + height;
}

/** Begins a new page if the row does not fit. Returns the position of the next row. */
function addRow(doc: Document, top: number, cells: readonly string[]): number {
  doc.font("regular", 7.5);
  const inner = (width: number) => ({ width: width - 2 * padding });
  const height = Math.max(...cells.map((cell, n) => doc.heightOfString(cell, inner(table[n]!.width)))) + 2 * padding;
  let y = top;
  if (y + height > doc.page.height - margin - 14) {
    doc.addPage();
    y = addHeading(doc, margin);
    doc.font("regular", 7.5);
  }
  doc.fillColor(colours.text);
  eachCell((n, x, width) => doc.text(cells[n]!, x + padding, y + padding, inner(width)));
  const bottom = y + height;
  doc
    .moveTo(margin, bottom)
    .lineTo(margin + widthOf(doc), bottom)
    .lineWidth(0.5)
    .stroke(colours.line);
  return bottom;
}

function addNote(doc: Document, y: number, note: string): void {
  const isFull = y + 30 > doc.page.height - margin - 14;
  if (isFull) doc.addPage();
  doc
    .font("bold", 9)
    .fillColor(colours.text)
    .text(note, margin, isFull ? margin : y + 10, { width: widthOf(doc) });
}

function numberPages(doc: Document): void {
  const { start, count } = doc.bufferedPageRange();
  for (let n = start; n < start + count; n++) {
    doc.switchToPage(n);
    // text below the margin would otherwise begin another page
    doc.page.margins.bottom = 0;
    const options = { width: widthOf(doc), align: "right", lineBreak: false } as const;
    doc.font("regular", 8).fillColor(colours.faint);
    doc.text(`Page ${n + 1} of ${count}`, margin, doc.page.height - margin + 6, options);
  }
}

const widthOf = (doc: Document) => doc.page.width - 2 * margin;

function eachCell(draw: (n: number, x: number, width: number) => void): void {
  let x = margin;
  for (const [n, { width }] of table.entries()) {
    draw(n, x, width);
    x += width;
  }
}

/** Characters of right-to-left scripts: a line in both directions would be set in the wrong order. */
const leftwards = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Replaces characters that cannot be set or have no glyph with their numbers, so that different names stay different. */
function printable(text: string, hasGlyph: (point: number) => boolean): string {
  const isSet = (character: string) =>
    character === "\n" || (hasGlyph(character.codePointAt(0)!) && !leftwards.test(character));
  return [...visible(plain(text))].map((character) => (isSet(character) ? character : escaped(character))).join("");
}
