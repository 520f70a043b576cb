/** Asks a question many times, and counts the different answers. */
import type { Question } from "../../../answer/reply/question.ts";
import type { ResourceRecord } from "../../../dns/reply.ts";
import { invalid } from "../../../lib/problem.ts";
import type { Excerpt } from "../excerpt/excerpt.ts";
import { rdataOf } from "./present.ts";
import type { Counted } from "./schema.ts";
import type { Work } from "./work.ts";

/** Characters of all different answers of one request. */
export const mostText = 4 * 1024 * 1024;

/** The draws of one request, with limits over all its questions together. */
export class Draws {
  readonly #excerpt: Excerpt;
  readonly #isShown: (record: ResourceRecord) => boolean;
  readonly #work: Work;
  #text = 0;

  /** `isShown` leaves out records that the caller may not see. */
  constructor(excerpt: Excerpt, isShown: (record: ResourceRecord) => boolean, work: Work) {
    this.#excerpt = excerpt;
    this.#isShown = isShown;
    this.#work = work;
  }

  /** Counts each answer, the most frequent first. Throws when it takes too long or the answers differ too much. */
  async count(question: Question, draws: number): Promise<Counted[]> {
    const counts = new Map<string, { readonly answer: string[]; count: number }>();
    for (let i = 0; i < draws; i++) {
      const answer = await this.#work.run(() => rdataOf(this.#excerpt.again(question), this.#isShown));
      const key = answer.join("\n");
      const counted = counts.get(key);
      if (counted) {
        counted.count++;
      } else {
        this.#text += key.length;
        if (this.#text > mostText) throw tooDifferent();
        counts.set(key, { answer, count: 1 });
      }
    }
    return [...counts.values()]
      .sort((a, b) => b.count - a.count || (a.answer.join() < b.answer.join() ? -1 : 1))
      .map((counted) => ({ ...counted, share: counted.count / draws }));
  }
}

const tooDifferent = () =>
  invalid("draws: the answers differ too much to be counted; ask for fewer", { field: "draws" });
