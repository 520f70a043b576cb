/** Publishes created, changed or deleted feeds to edges, within the transaction of the change. */
import { liveBatch } from "../../storage/outbox/live.ts";
import type { LiveValue } from "../../sync/live.ts";
import type { RowKind } from "../kit/rows.ts";
import type { Ctx } from "../write/context.ts";

const valuesPublished: RowKind<LiveValue> = { write: liveBatch };

export function publish(ctx: Ctx, values: readonly LiveValue[]): void {
  for (const value of values) ctx.send(valuesPublished, value);
  ctx.afterCommit("feeds");
}
