/**
 * The routes of an account's usage warnings: the shares of the plan's quota at which the account wants to be notified.
 */
import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { invalid } from "../../../lib/problem.ts";
import { isObject } from "../../../lib/values.ts";
import { maybe } from "../../kit/schema.ts";
import { route } from "../../write/route.ts";
import { getSettings, updateSettings } from "./settings-store.ts";

const tag = "Account";
const path = "/v1/account/usagewarnings";
const right = "account.manage_account_settings";
const unsent = "The settings are stored and shown, but no warnings are sent yet.";

const percent = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description });
const sends = Type.Boolean({ description: unsent });
const first = percent("Percent at which the first warning is due; less than `warning_2`.");
const second = percent("Percent at which the second warning is due.");

const Warning = Type.Object({ send_warnings: sends, warning_1: first, warning_2: second });
const UsageWarnings = Type.Object(
  { queries: Warning, records: Warning, zones: Type.Optional(Warning) },
  { $id: "UsageWarnings", description: "`zones` is present once it has been set." },
);
const WarningBody = maybe(
  Type.Object({ send_warnings: maybe(sends), warning_1: maybe(first), warning_2: maybe(second) }),
);
const UsageWarningsBody = Type.Object(
  { queries: WarningBody, records: WarningBody, zones: WarningBody },
  { $id: "UsageWarningsBody", examples: [{ queries: { warning_2: 90 } }] },
);
export type UsageWarnings = Static<typeof UsageWarnings>;

export const usageWarningRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "Get the usage warnings",
    desc: unsent,
    right,
    reply: UsageWarnings,
    run: async (_, { db, account_id }) => usageWarningsIn((await getSettings(db, account_id)).usage_warnings),
  }),
  route({
    method: "POST",
    path,
    tag,
    summary: "Change the usage warnings",
    desc: `Omitted fields keep their values; null resets to the default. ${unsent}`,
    right,
    exclusive: true,
    body: UsageWarningsBody,
    reply: UsageWarnings,
    log: ["account", "update"],
    async run({ body }, { db, account_id }) {
      const { usage_warnings } = await getSettings(db, account_id);
      const before = usageWarningsIn(usage_warnings);
      const after = merged(usage_warnings, body);
      assertOrder(after);
      // the activity log takes the id from the reply
      const reply = { id: account_id, ...after };
      if (isDeepStrictEqual(after, before)) return new Reply(reply, { changed: false });
      await updateSettings(db, account_id, { usage_warnings: after });
      return new Reply(reply, { before: { id: account_id, ...before } });
    },
  }),
];

/** The usage warnings of an account, from the column of its row. */
export const usageWarningsIn = (stored: unknown): UsageWarnings => merged(stored, {});

const fallback: Static<typeof Warning> = { send_warnings: false, warning_1: 80, warning_2: 95 };

/** Merges the body into `stored`, which is an earlier result of this function. */
function merged(stored: unknown, body: Static<typeof UsageWarningsBody>): UsageWarnings {
  const before = isObject(stored) ? stored : {};
  const { zones } = body;
  const hasZones = zones === undefined ? before["zones"] !== undefined : zones !== null;
  return {
    queries: warningOf(before["queries"], body.queries),
    records: warningOf(before["records"], body.records),
    ...(hasZones ? { zones: warningOf(before["zones"], zones) } : {}),
  };
}

function warningOf(stored: unknown, body: Static<typeof WarningBody> | undefined): Static<typeof Warning> {
  const before: Partial<Static<typeof Warning>> = isObject(stored) && body !== null ? stored : {};
  const { send_warnings, warning_1, warning_2 } = { ...before, ...body };
  return {
    send_warnings: send_warnings ?? fallback.send_warnings,
    warning_1: warning_1 ?? fallback.warning_1,
    warning_2: warning_2 ?? fallback.warning_2,
  };
}

function assertOrder(warnings: UsageWarnings): void {
  for (const [name, { warning_1, warning_2 }] of Object.entries(warnings)) {
    if (warning_1 < warning_2) continue;
    const field = `${name}.warning_1`;
    throw invalid(`${field} must be less than warning_2: ${warning_1} is not less than ${warning_2}`, { field });
  }
}
