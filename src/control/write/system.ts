/** Writes that nobody asks for: the service itself makes them, under a name by which histories know it. */
import type { TransactionOptions } from "../../storage/connection/transaction.ts";
import type { Caller } from "../access/caller.ts";
import { grantOf } from "../access/permit.ts";
import type { Ctx, WriteOptions } from "./context.ts";
import { unasked, Write } from "./write.ts";

export interface SystemAct extends TransactionOptions {
  /** Entry of the activity log, which keeps what the step returns; none without it. */
  readonly log?: readonly [resource: string, action: string];
}

/** Runs a step in a transaction of its own. Nothing has changed when it returns undefined. */
export async function writeAs(
  service: WriteOptions,
  { account_id, id, name }: Pick<Caller, "account_id" | "id" | "name">,
  { log, ...options }: SystemAct,
  step: (ctx: Ctx) => Promise<unknown>,
): Promise<void> {
  const always = { allowed: undefined, allowedOfTeams: [], allowedOfAccount: [], ends: Number.POSITIVE_INFINITY };
  const caller: Caller = {
    account_id,
    kind: "system",
    id,
    name,
    suspended: false,
    access: [grantOf({})],
    ...always,
  };
  const write = new Write(service, { caller, standing: async () => caller }, { ...unasked, log }, async (ctx) => {
    const resource = await step(ctx);
    return { changed: resource !== undefined, resource, reply: { status: 200, body: "" } };
  });
  const { written, acts } = await write.run(options);
  for (const act of acts) act();
  if (written.change !== undefined) service.wake();
}
