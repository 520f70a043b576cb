/** Writes of the service itself, under a name that activity log and history show. */
import type { TransactionOptions } from "../../storage/connection/transaction.ts";
import { anonymous, type Caller } from "../access/caller.ts";
import { grantOf } from "../access/permit.ts";
import type { Ctx, WriteOptions } from "./context.ts";
import { bareRequest, Write } from "./write.ts";

export interface SystemAct extends TransactionOptions {
  /** The type and action of the activity entry, which keeps the step's result; undefined for no entry. */
  readonly log?: readonly [resource: string, action: string];
}

/** Runs a step in a transaction of its own. A step that returns undefined has changed nothing. */
export async function writeAs(
  service: WriteOptions,
  { account_id, id, name }: Pick<Caller, "account_id" | "id" | "name">,
  { log, ...options }: SystemAct,
  step: (ctx: Ctx) => Promise<unknown>,
): Promise<void> {
  const caller: Caller = { ...anonymous, account_id, id, name, access: [grantOf({})] };
  const write = new Write(service, { caller, standing: async () => caller }, { ...bareRequest, log }, async (ctx) => {
    const resource = await step(ctx);
    return { changed: resource !== undefined, resource, reply: { status: 200, headers: {}, body: "" } };
  });
  const { written, acts } = await write.run(options);
  for (const act of acts) act();
  if (written.change !== undefined) service.wake();
}
