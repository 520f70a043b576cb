/** Answers that no client gets, regardless of the client and the feeds. */
import { numberOf } from "../../../../answer/live/number.ts";
import { shortAnswer } from "../../../../dns/rdata/codec.ts";
import { Stranger } from "./parts/stranger.ts";
import { type Finding, isLive, type LintedLink, type LintedRecord, mostLeft, rule } from "./rule.ts";

export const unreachableAnswer = rule({
  code: "unreachable_answer",
  /** Follows the chain while its filters do the same for all clients; what later filters do is unknown. */
  check(linted) {
    const findings: Finding[] = [];
    const selection = linted.select();
    const stranger = new Stranger();
    const before = new Int32Array(selection.count);
    const acting = linted.links.filter(({ step }) => step);
    for (const [i, link] of acting.entries()) {
      const all = [...before.subarray(0, selection.save(before))];
      if (link.filter.kind === "modifies") break;
      if (isLive(link)) return [...findings, ...neverUp(linted, link, all)];
      stranger.begin();
      link.step?.(selection, stranger);
      if (stranger.isAsked || stranger.isDrawn) return [...findings, ...weightless(linted, link, acting[i + 1], all)];
      const left = new Set(Array.from({ length: selection.count }, (_, position) => selection.answer(position)));
      for (const answer of all) {
        if (!left.has(answer) && !isStandby(linted, link, answer))
          findings.push(findingOf(linted, answer, `${link.filter.id} always removes it`));
      }
    }
    return findings;
  },
});

/** Finds answers that are never up, next to answers that feeds report as up or down. */
function neverUp(linted: LintedRecord, link: LintedLink, answers: readonly number[]): Finding[] {
  const entries = link.inputs.get("up");
  if (!entries) return [];
  return answers
    .filter((answer) => entries[answer]?.feed === undefined && numberOf(entries[answer]?.value) !== 1)
    .filter((answer) => !isStandby(linted, link, answer))
    .map((answer) => findingOf(linted, answer, `${link.filter.id} removes it while another answer is up`));
}

/** Whether the answer is a standby for the case that all other answers are down. */
const isStandby = ({ record: { all_down, answers } }: LintedRecord, { inputs }: LintedLink, answer: number) =>
  inputs.has("up") && all_down?.policy === "group" && answers[answer]?.region === all_down.group;

/** Finds answers without weight that are always cut off after the answers with weight. */
function weightless(
  linted: LintedRecord,
  link: LintedLink,
  next: LintedLink | undefined,
  answers: readonly number[],
): Finding[] {
  const weights = link.inputs.get("weight");
  if (!weights || !next) return [];
  const [heavy = [], light = []] = [true, false].map((isHeavy) =>
    answers.filter((answer) => numberOf(weights[answer]?.value) > 0 === isHeavy),
  );
  if (heavy.length < mostLeft(next)) return [];
  const why = `it has no weight, and ${next.filter.id} keeps only answers with weight`;
  return light.map((answer) => findingOf(linted, answer, why));
}

function findingOf({ record }: LintedRecord, answer: number, why: string): Finding {
  const text = shortAnswer(record.answers[answer]?.answer ?? []);
  return { field: `answers[${answer}]`, message: `no client gets ${text}: ${why}` };
}
