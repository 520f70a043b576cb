/** Prints the reply of explain as text. */
import type { Counted, Explanation } from "../../../control/steering/explain/schema.ts";
import { table, wrapped } from "../../terminal/table.ts";
import { printStep } from "./step.ts";

export function printExplanation(explained: Explanation): string {
  const { name, type, rcode, flags, octets, client, steps, warnings, ecs, draws, matrix } = explained;
  const parts = [
    [`${name} ${type}: ${[rcode, ...flags].join(" ")}, ${octets} octets`, ...printClient(client)],
    ...steps.map(printStep),
    ...(["answer", "authority", "additional"] as const).flatMap((section) => printSection(section, explained[section])),
    ...(ecs ? [[`client subnet ${ecs.subnet}: the answer is valid for /${ecs.scope}`]] : []),
    ...(draws ? [printDraws(draws)] : []),
    ...(matrix ? [printMatrix(matrix)] : []),
    ...(warnings.length > 0
      ? [
          [
            "warnings",
            ...table(
              warnings.map(({ code, field, message }) => [code, field, message]),
              2,
            ),
          ],
        ]
      : []),
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** Says for whom the answer is: most people do not name the client, and then expect the answer that they get themselves. */
function printClient({ address, location }: Explanation["client"]): string[] {
  if (typeof address !== "string") return [];
  return [`  for a client at ${address}${location ? ", located as the request says" : ""}`];
}

const printSection = (section: string, lines: readonly string[]) =>
  lines.length > 0 ? [[section, ...table(lines.map(fieldsOf), 2)]] : [];

/** Owner, TTL, class, type and RDATA, which may contain blanks. */
function fieldsOf(line: string): string[] {
  const [owner = "", ttl = "", dnsClass = "", type = "", ...rdata] = line.split(" ");
  return [owner, ttl, dnsClass, type, rdata.join(" ")];
}

function printDraws(draws: readonly Counted[]): string[] {
  const total = draws.reduce((sum, { count }) => sum + count, 0);
  return [
    `${total} ${total === 1 ? "draw" : "draws"}`,
    ...table(
      draws.map((each) => [percent(each.share), `${each.count}`, answerOf(each)]),
      2,
    ),
  ];
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(7);

const answerOf = ({ answer }: Counted) => (answer.length > 0 ? answer.join(", ") : "no answer");

/** Countries grouped by their answers, the largest group first. */
function printMatrix(matrix: Readonly<Record<string, readonly Counted[]>>): string[] {
  const groups = Map.groupBy(Object.keys(matrix).sort(), (country) => outcomeOf(matrix[country] ?? []));
  const sorted = [...groups].sort(([, a], [, b]) => b.length - a.length);
  return [
    "by country of the client",
    ...sorted.flatMap(([outcome, countries]) => [
      `  ${outcome}: ${countries.length} ${countries.length === 1 ? "country" : "countries"}`,
      ...wrapped(countries, 4),
    ]),
  ];
}

const outcomeOf = (counted: readonly Counted[]) =>
  counted.length === 1
    ? counted.map(answerOf).join()
    : counted.map((each) => `${answerOf(each)} (${percent(each.share).trim()})`).join(" | ");
