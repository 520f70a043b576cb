/** Adding and removing single answers, so that two who do it at once both succeed. */
import { isDeepStrictEqual } from "node:util";
import { type RecordType, rdataFromApi } from "../../dns/types.ts";
import { newId } from "../../lib/ids.ts";
import { invalid } from "../../lib/problem.ts";
import type { StoredAnswer } from "../../storage/tables.ts";
import type { Ctx } from "../context.ts";
import { fieldsOf, insert, remove, update, type Written } from "./apply.ts";
import { assertAnswers, inField, readAnswer } from "./fields.ts";
import { lockPlace, type RecordPath, recordNotFound } from "./place.ts";
import type { NewAnswer } from "./schema.ts";
import { readWritable } from "./write.ts";

export interface AnswerChanges {
  readonly add: readonly NewAnswer[];
  /** Answers by id, or all that have these RDATA. */
  readonly remove: readonly { readonly id?: string | null; readonly answer?: StoredAnswer["answer"] | null }[];
}

/**
 * An answer that is there already is not added again, and one that is not there is not missed: the call can be sent
 * again. The first answer makes the record, and the last one takes it along.
 */
export async function changeAnswers(ctx: Ctx, path: RecordPath, changes: AnswerChanges): Promise<Written> {
  const place = readWritable(ctx, path);
  const { site, row, others } = await lockPlace(ctx, place);
  if (!row) {
    if (changes.add.length === 0) throw recordNotFound(place);
    return await insert(site, place, others, { answers: distinct(place.type, changes.add) });
  }
  const left = withoutAnswers(place.type, row.answers, changes.remove);
  const answers = withAnswers(place.type, left, changes.add);
  assertAnswers(place.type, { ...row, answers }, ctx.settings.maxAnswers);
  if (answers.length > 0 || row.answers.length === 0) {
    return await update(site, place.type, row, { ...fieldsOf(row), answers });
  }
  remove(site, row);
  return { zone: site.zone, row: { ...row, answers }, changed: true };
}

const distinct = (type: RecordType, add: readonly NewAnswer[]): NewAnswer[] => withAnswers(type, [], add);

function withoutAnswers(type: RecordType, before: readonly StoredAnswer[], remove: AnswerChanges["remove"]) {
  const isGone = remove.map(({ id, answer }, i) => {
    if (id) return (candidate: StoredAnswer) => candidate.id === id;
    if (!answer) throw invalid(`remove[${i}] has neither id nor answer`, { field: `remove[${i}]` });
    const rdata = inField(`remove[${i}]`, () => rdataFromApi(type, answer));
    return (candidate: StoredAnswer) => isSame(rdata, rdataFromApi(type, candidate.answer));
  });
  return before.filter((answer) => !isGone.some((gone) => gone(answer)));
}

function withAnswers(type: RecordType, before: readonly StoredAnswer[], add: readonly NewAnswer[]): StoredAnswer[] {
  const answers = [...before];
  for (const [i, sent] of add.entries()) {
    const { answer, ...rest } = readAnswer(type, sent, `add[${i}]`);
    const rdata = rdataFromApi(type, answer);
    const isThere = answers.some(
      (other) =>
        isSame(rdata, rdataFromApi(type, other.answer)) &&
        other.region === rest.region &&
        isDeepStrictEqual(other.meta ?? {}, rest.meta ?? {}),
    );
    if (!isThere) answers.push({ answer, id: newId(), ...rest });
  }
  return answers;
}

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
