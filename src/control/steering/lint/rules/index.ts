/** The registry of rules, which find probable mistakes in records that are allowed. */
import { coveredRecord } from "./covered-record.ts";
import { danglingTarget } from "./dangling-target.ts";
import { filterTooLate } from "./filter-too-late.ts";
import { filterWithoutMetadata } from "./filter-without-metadata.ts";
import { largeReply } from "./large-reply.ts";
import { noDefaultAnswer } from "./no-default-answer.ts";
import { recordWithoutAnswers } from "./record-without-answers.ts";
import { slowFailover } from "./slow-failover.ts";
import { unreachableAnswer } from "./unreachable-answer.ts";
import { unusedRegion } from "./unused-region.ts";
import { weightsZero } from "./weights-zero.ts";

export const rules = [
  filterTooLate,
  filterWithoutMetadata,
  weightsZero,
  noDefaultAnswer,
  unreachableAnswer,
  danglingTarget,
  coveredRecord,
  largeReply,
  slowFailover,
  unusedRegion,
  recordWithoutAnswers,
] as const;
