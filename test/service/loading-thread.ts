/** A thread for tests: sends the requested number of steps, or fails in the requested way. */
import { LoadingWorker } from "../../src/control/zonefiles/loading/worker.ts";
import { WireError } from "../../src/dns/wire/wire.ts";
import { invalid } from "../../src/lib/problem.ts";

export type Order = number | "odd octets" | "a client's mistake" | "an internal error";

const worker = new LoadingWorker<Order, number, string>();

worker.serve(async (asked) => {
  if (asked === "odd octets") throw new WireError(asked);
  if (asked === "a client's mistake") throw invalid(asked, { field: "zonefile" });
  if (asked === "an internal error") throw new TypeError(asked);
  for (let step = 0; step < asked; step++) await worker.step(step, undefined);
  return `${asked} steps`;
});
