/** Answers that no client gets, regardless of the client and the feeds. */
import { numberOf } from "../../../../answer/live/number.ts";
import { shortAnswer } from "../../../../dns/rdata/codec.ts";
import { Stranger } from "./parts/stranger.ts";
import { type Finding, isLive, type LintedLink, mostLeft, rule, type Subject } from "./rule.ts";

export const unreachableAnswer = rule({
  code: "unreachable_answer",
  /** Follows the chain as long as it does the same for all clients; later filters could do anything. */
  check(subject) {
    const findings: Finding[] = [];
    const selection = subject.select();
    const stranger = new Stranger();
    const before = new Int32Array(selection.count);
    const acting = subject.links.filter(({ step }) => step);
    for (const [i, link] of acting.entries()) {
      const all = [...before.subarray(0, selection.save(before))];
      if (link.filter.kind === "modifies") break;
      if (isLive(link)) return [...findings, ...neverUp(subject, link, all)];
      stranger.begin();
      link.step?.(selection, stranger);
      if (stranger.isAsked || stranger.isDrawn) return [...findings, ...weightless(subject, link, acting[i + 1], all)];
      const left = new Set(Array.from({ length: selection.count }, (_, position) => selection.answer(position)));
      for (const answer of all) {
        if (!left.has(answer) && !isStandby(subject, link, answer))
          findings.push(findingOf(subject, answer, `${link.filter.id} always removes it`));
      }
    }
    return findings;
  },
});

/** Finds answers that are never up, next to answers that feeds report as up or down. */
function neverUp(subject: Subject, link: LintedLink, answers: readonly number[]): Finding[] {
  const entries = link.inputs.get("up");
  if (!entries) return [];
  return answers
    .filter((answer) => entries[answer]?.feed === undefined && numberOf(entries[answer]?.value) !== 1)
    .filter((answer) => !isStandby(subject, link, answer))
    .map((answer) => findingOf(subject, answer, `${link.filter.id} removes it while another answer is up`));
}

/** Whether the answer is a standby for the case that all others are down. */
const isStandby = ({ record: { all_down, answers } }: Subject, { inputs }: LintedLink, answer: number) =>
  inputs.has("up") && all_down?.policy === "group" && answers[answer]?.region === all_down.group;

/** Finds answers without weight that are always cut off after the answers with weight. */
function weightless(
  subject: Subject,
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
  return light.map((answer) => findingOf(subject, answer, why));
}

function findingOf({ record }: Subject, answer: number, why: string): Finding {
  const text = shortAnswer(record.answers[answer]?.answer ?? []);
  return { field: `answers[${answer}]`, message: `no client gets ${text}: ${why}` };
}
