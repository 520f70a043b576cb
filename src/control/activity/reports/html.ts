/** A page for a browser, without scripts and without anything loaded from other sites. */

import { timeText } from "../../../lib/clock.ts";
import { inPieces } from "../../../lib/files/spool.ts";
import { clipped, markup, visible } from "../../../lib/text/text.ts";
import type { ActivityRow } from "../../write/activity/store.ts";
import type { Format, Report } from "./report.ts";
import { nameOf, whoOf, wordsOf } from "./words.ts";

export const html: Format = {
  mediaType: "text/html; charset=utf-8",
  extension: "html",
  // more entries would keep a browser busy for long
  most: 20_000,
  write: (report) => inPieces(print(report)),
};

const mostDetails = 20_000;
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const style = `
  body { font: 14px/1.45 system-ui, sans-serif; margin: 2rem; color: #1c2330; }
  h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
  p { color: #5b6575; margin: 0 0 1rem; }
  table { border-collapse: collapse; table-layout: fixed; width: 100%; min-width: 60rem; }
  th:nth-child(1) { width: 9.5rem; } th:nth-child(2) { width: 20%; } th:nth-child(3) { width: 7rem; } th:nth-child(4) { width: 24%; }
  th { position: sticky; top: 0; background: #eef1f6; text-align: left; }
  th, td { padding: .4rem .6rem; border-bottom: 1px solid #dde2ea; vertical-align: top; unicode-bidi: isolate; }
  td { overflow-wrap: anywhere; }
  td:first-child { white-space: nowrap; }
  td small { color: #5b6575; display: block; }
  pre { white-space: pre-wrap; font-size: 12px; margin: .4rem 0 0; }
  .words { white-space: pre-line; }
  .note { margin-top: 1rem; font-weight: 600; }
`;

async function* print(report: Report): AsyncGenerator<string> {
  const about = [`${timeText(report.made)} UTC`, ...report.filters].map(shown).join(" \u00b7 ");
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Activity log</title><style>${style}</style></head>
<body><h1>Activity log</h1><p>${about}</p>
<table><thead><tr><th>Time (UTC)</th><th>Who</th><th>Action</th><th>What</th><th>Details</th></tr></thead><tbody>
`;
  for await (const row of report.rows()) yield rowOf(row);
  const note = report.note();
  yield `</tbody></table>${note === undefined ? "" : `<p class="note">${markup(note)}</p>`}</body></html>\n`;
}

const shown = (text: string) => markup(visible(text));

function rowOf(row: ActivityRow): string {
  const cells = [
    timeText(row.timestamp),
    `${shown(whoOf(row))}<small>${shown(row.address ?? "")}</small>`,
    shown(row.action),
    `${shown(nameOf(row))}<small>${shown(row.resource_type)}</small>`,
    `<div class="words">${shown(wordsOf(row))}</div>${detailsOf(row)}`,
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>\n`;
}

function detailsOf({ resource }: ActivityRow): string {
  const text = clipped(JSON.stringify(resource, undefined, 2), mostDetails);
  return `<details><summary>resource after the act</summary><pre>${shown(text)}</pre></details>`;
}
