/** Adding and removing single answers, so that concurrent requests all succeed. */

import { isDeepStrictEqual } from "node:util";
import { rdataFromApi } from "../../../dns/rdata/codec.ts";
import type { RecordType } from "../../../dns/rdata/record-type.ts";
import { newId } from "../../../lib/ids.ts";
import { inField, invalid } from "../../../lib/problem.ts";
import type { StoredAnswer } from "../../../storage/tables/records.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import { assertAnswers, fieldsOf, readAnswer } from "../model/record/fields.ts";
import type { NewAnswer } from "../model/record/schema.ts";
import { insert, update, type Written } from "./apply.ts";
import { type Confirmation, guardRecords } from "./guard.ts";
import { settleLinks } from "./links.ts";
import { lockPath, type RecordPath, recordNotFound } from "./path.ts";
import { putRecord } from "./put.ts";
import { settleRecord } from "./write.ts";

export interface AnswerChanges {
  readonly add: readonly NewAnswer[];
  /** Answers by id, or all answers with this RDATA. */
  readonly remove: readonly { readonly id?: string | null; readonly answer?: StoredAnswer["answer"] | null }[];
}

/**
 * Idempotent: an answer that exists is not added again, and removing an absent answer is no error. Adding the first
 * answer creates the record, and removing the last one deletes it.
 */
export async function changeAnswers(
  ctx: Ctx,
  sent: RecordPath,
  changes: AnswerChanges,
  confirmation: Confirmation,
): Promise<Written> {
  const { path, scope, row, others, targets } = await lockPath(ctx, sent);
  if (!row) {
    if (changes.add.length === 0) throw recordNotFound(path);
    const body = { answers: withAnswers(path.type, [], changes.add) };
    return await settleRecord(ctx, await insert(scope, path, others, body), targets);
  }
  if (row.link !== null)
    throw invalid(`the record is linked to ${row.link}; it has no answers of its own`, { link: row.link });
  const left = withoutAnswers(path.type, row.answers, changes.remove);
  const answers = withAnswers(path.type, left, changes.add);
  assertAnswers(path.type, { ...row, answers });
  if (answers.length > 0 || row.answers.length === 0) {
    const written = await update(scope, path.type, row, others, { ...fieldsOf(row), answers });
    return await settleRecord(ctx, written, targets);
  }
  await settleLinks(ctx, [{ before: row, after: undefined }], { targets, confirmation });
  await guardRecords(ctx, scope.zone, [row], confirmation);
  putRecord(ctx, { before: row, after: undefined });
  return { zone: scope.zone, before: row, row: { ...row, answers }, changed: true };
}

function withoutAnswers(type: RecordType, before: readonly StoredAnswer[], remove: AnswerChanges["remove"]) {
  const ids = new Set<string>();
  const gone = new Set<string>();
  for (const [i, { id, answer }] of remove.entries()) {
    if (id) ids.add(id);
    else if (answer) gone.add(inField(`remove[${i}]`, () => octetsOf(type, answer)));
    else throw invalid(`remove[${i}] has neither id nor answer`, { field: `remove[${i}]` });
  }
  return before.filter(({ id, answer }) => !ids.has(id) && (gone.size === 0 || !gone.has(octetsOf(type, answer))));
}

/** Stops adding once there are too many. */
function withAnswers(type: RecordType, before: readonly StoredAnswer[], add: readonly NewAnswer[]) {
  const answers = [...before];
  const octets = before.map(({ answer }) => octetsOf(type, answer));
  for (const [i, sent] of add.entries()) {
    if (answers.length > limits.answers) break;
    const { answer, ...rest } = readAnswer(type, sent, `add[${i}]`);
    const own = octetsOf(type, answer);
    const isThere = answers.some(
      (other, at) =>
        own === octets[at] && other.region === rest.region && isDeepStrictEqual(other.meta ?? {}, rest.meta ?? {}),
    );
    if (isThere) continue;
    answers.push({ answer, id: newId(), ...rest });
    octets.push(own);
  }
  return answers;
}

const octetsOf = (type: RecordType, answer: StoredAnswer["answer"]) =>
  Buffer.from(rdataFromApi(type, answer)).toString("latin1");
