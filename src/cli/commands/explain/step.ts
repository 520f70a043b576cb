/** One look-up of explain as text, with the chain of the record that it found. */
import type { Step } from "../../../control/steering/explain/schema.ts";
import { table } from "../../terminal/table.ts";

type TracedFilter = Step["filters"][number];

export function printStep(step: Step): string[] {
  const { name, zone, state, wildcard, link, record, hidden, answers, filters } = step;
  const through = link === null ? "" : `through the link to ${link}`;
  const where = [zone === null ? "" : `zone ${zone}`, wildcard ? "by a wildcard" : "", through].filter(Boolean);
  const head = `look-up of ${name}: ${[state, ...where].join(", ")}`;
  if (hidden) return [head, "  answered by a record that is not yours to see"];
  if (record === null) return [head];
  return [
    head,
    `  steered by the record ${record}`,
    ...table(answers.map(answerRow), 4),
    ...filters.flatMap(printFilter),
  ];
}

/** Answers are kept as they were sent: `{answer, region}`. */
function answerRow(stored: unknown, i: number): string[] {
  const { answer, region }: { answer?: unknown; region?: unknown } = Object(stored);
  return [`#${i}`, Array.isArray(answer) ? answer.join(" ") : "", typeof region === "string" ? `in ${region}` : ""];
}

function printFilter({ filter, config, acts, before, after, values, facts }: TracedFilter): string[] {
  const settings = Object.entries(Object(config)).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const change = acts ? `${places(before)} -> ${places(after)}` : "does nothing to this record";
  return [
    `  ${[filter, ...settings].join(" ")}: ${change}`,
    ...table(
      facts.map(({ fact, value, bits }) => [fact, shown(value), `by ${bits} bits of the client's address`]),
      6,
    ),
    ...table(values.map(valueRow), 6),
  ];
}

const places = (list: readonly (number | string)[]) =>
  list.length === 0 ? "none" : list.map((place) => (typeof place === "number" ? `#${place}` : place)).join(" ");

function valueRow({ answer, key, value, source, feed, age }: TracedFilter["values"][number]): string[] {
  if (source === null) return [`#${answer}`, key, "unset"];
  const pushed = age === null ? "which nothing was pushed to" : `pushed ${Math.max(0, age).toFixed(1)} s before`;
  const said = feed === null ? `of the ${source}` : `of the ${source}, by feed ${feed}, ${pushed}`;
  return [`#${answer}`, key, value === null ? "unset" : shown(value), said];
}

function shown(value: unknown): string {
  if (value === null || value === "") return "unknown";
  return typeof value === "string" ? value : JSON.stringify(value);
}
