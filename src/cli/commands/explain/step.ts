/** Prints one look-up of explain as text, with the filters of the record that was found. */
import type { Step } from "../../../control/steering/explain/schema.ts";
import { table } from "../../terminal/table.ts";

type TracedFilter = Step["filters"][number];

export function printStep(step: Step): string[] {
  const { name, zone, state, wildcard, link, record, hidden, answers, filters } = step;
  const through = link === null ? "" : `through the link to ${link}`;
  const where = [zone === null ? "" : `zone ${zone}`, wildcard ? "by a wildcard" : "", through].filter(Boolean);
  const head = `look-up of ${name}: ${[state, ...where].join(", ")}`;
  if (hidden) return [head, "  answered by a record that you may not view"];
  if (record === null) return [head];
  return [
    head,
    `  steered by the record ${record}`,
    ...table(answers.map(answerRow), 4),
    ...filters.flatMap(printFilter),
  ];
}

/** Answers have the form in which they were sent: `{answer, region}`. */
function answerRow(stored: unknown, i: number): string[] {
  const { answer, region }: { answer?: unknown; region?: unknown } = Object(stored);
  return [`#${i}`, Array.isArray(answer) ? answer.join(" ") : "", typeof region === "string" ? `in ${region}` : ""];
}

function printFilter(traced: TracedFilter): string[] {
  const { filter, config, acts, before, after, left, all_down, guarded, values, facts } = traced;
  const settings = Object.entries(Object(config)).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const change = acts ? `${indexes(before)} -> ${indexes(after)}` : "has no effect on this record";
  return [
    `  ${[filter, ...settings].join(" ")}: ${change}`,
    ...table(
      left.map(({ answer, reason }) => [indexes([answer]), `removed: ${reason}`]),
      6,
    ),
    ...(all_down === "keep" ? ["      no answer is up, so all stay"] : []),
    ...(guarded ? ["      live_guard put answers back"] : []),
    ...table(
      facts.map(({ fact, value, bits }) => [fact, shown(value), `from ${bits} bits of the client's address`]),
      6,
    ),
    ...table(values.map(valueRow), 6),
  ];
}

const indexes = (list: readonly (number | string)[]) =>
  list.length === 0 ? "none" : list.map((index) => (typeof index === "number" ? `#${index}` : index)).join(" ");

function valueRow(read: TracedFilter["values"][number]): string[] {
  const { answer, key, value, elements, source, feed } = read;
  if (source === null) return [`#${answer}`, key, "unset"];
  const more = elements === null ? "" : `, the first of ${elements}`;
  const origin = feed === null ? `from the ${source}` : `from the ${source}, by ${feedText(read)}`;
  return [`#${answer}`, key, value === null ? "unset" : `${shown(value)}${more}`, origin];
}

function feedText({ feed, origin, age }: TracedFilter["values"][number]): string {
  if (origin === "assumed") return `feed ${feed}, assumed`;
  const pushed = age === null ? "never pushed" : `pushed ${Math.max(0, age).toFixed(1)} s ago`;
  return `${origin === "fallback" ? "the fallback of " : ""}feed ${feed}, ${pushed}`;
}

function shown(value: unknown): string {
  if (value === null || value === "") return "unknown";
  return typeof value === "string" ? value : JSON.stringify(value);
}
