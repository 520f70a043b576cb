/** The registry of rules: what looks wrong with a record although it is allowed. */
import { danglingTarget } from "./rules/dangling-target.ts";
import { filterTooLate } from "./rules/filter-too-late.ts";
import { filterWithoutMetadata } from "./rules/filter-without-metadata.ts";
import { largeReply } from "./rules/large-reply.ts";
import { noDefaultAnswer } from "./rules/no-default-answer.ts";
import { recordWithoutAnswers } from "./rules/record-without-answers.ts";
import { slowFailover } from "./rules/slow-failover.ts";
import { unreachableAnswer } from "./rules/unreachable-answer.ts";
import { unusedRegion } from "./rules/unused-region.ts";
import { weightsZero } from "./rules/weights-zero.ts";

export const rules = [
  filterTooLate,
  filterWithoutMetadata,
  weightsZero,
  noDefaultAnswer,
  unreachableAnswer,
  danglingTarget,
  largeReply,
  slowFailover,
  unusedRegion,
  recordWithoutAnswers,
] as const;
