/** Default replies, for tests that do not depend on them. */
import { makeNoticeTable } from "../../src/edge/serve/notice-table.ts";
import { makeRateTable, noLimits } from "../../src/edge/serve/rate.ts";
import type { ReplySettings } from "../../src/edge/workers/messages.ts";

export const plainReplies: ReplySettings = {
  secrets: [new Uint8Array(16)],
  rates: makeRateTable(1),
  notices: makeNoticeTable(1),
  limits: noLimits,
  idle: 10_000,
  tailAddresses: false,
};
