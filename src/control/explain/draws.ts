/** Asks a question often, and counts which answers come. */
import { setImmediate as turn } from "node:timers/promises";
import type { Question } from "../../answer/question.ts";
import type { Excerpt } from "../excerpt/excerpt.ts";
import { rdataOf } from "./present.ts";
import type { Counted } from "./schema.ts";

/** Questions after which others have their turn. */
const atOnce = 500;

/** The answers with how often each came, the most frequent first. */
export async function countAnswers(excerpt: Excerpt, question: Question, draws: number): Promise<Counted[]> {
  const counts = new Map<string, { readonly answer: string[]; count: number }>();
  for (let i = 0; i < draws; i++) {
    if (i % atOnce === atOnce - 1) await turn();
    const answer = rdataOf(excerpt.again(question));
    const key = answer.join("\n");
    const counted = counts.get(key);
    if (counted) counted.count++;
    else counts.set(key, { answer, count: 1 });
  }
  return [...counts.values()]
    .sort((a, b) => b.count - a.count || (a.answer.join() < b.answer.join() ? -1 : 1))
    .map((counted) => ({ ...counted, share: counted.count / draws }));
}
