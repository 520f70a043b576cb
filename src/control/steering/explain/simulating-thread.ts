/** The thread of simulations. It has a low priority, and connections to the store of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { printerOf } from "../../../http/route/reply.ts";
import { newLog } from "../../../lib/log.ts";
import { conflict, Problem, plainProblem } from "../../../lib/problem.ts";
import { lowerThread } from "../../../lib/system/priority.ts";
import { storeAt } from "../../../storage/db.ts";
import type { Access } from "../../access/access.ts";
import { explain } from "./explain.ts";
import { Explanation } from "./schema.ts";
import type { FromSimulator, SimulationOrder, SimulatorOptions, ToSimulator } from "./simulator.ts";
import { Turns, Work } from "./work.ts";

/** Connections to the store. */
const poolSize = 4;

lowerThread();
const port = parentPort!;
const { storeUrl, isStoreEmbedded: isEmbedded, logLevel }: SimulatorOptions = workerData;
const store = storeAt(storeUrl, { log: newLog(logLevel, "control"), poolSize, isEmbedded });
const { print } = printerOf(Explanation, false);
const turns = new Turns();
const accesses = new Map<number, Access>();
const running = new Map<number, AbortController>();

port.on("message", (message: ToSimulator) => {
  if (message.kind === "cancel") running.get(message.id)?.abort(conflict("the simulation was cancelled"));
  else void answer(message, accessOf(message));
});

/** The access of the caller. Orders arrive in the order in which they were sent. */
function accessOf({ access, newAccess, forgets }: SimulationOrder): Access {
  if (forgets) accesses.clear();
  if (newAccess) accesses.set(access, newAccess);
  return accesses.get(access)!;
}

async function answer({ id, account_id, editor, now, order }: SimulationOrder, access: Access): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const work = new Work({ turns, account: account_id, editor, signal: controller.signal });
  const ctx = { db: store.readsOf(account_id), account_id, now, caller: { access } };
  const reply = await explain(ctx, order, work).then(
    (explanation): FromSimulator => ({ id, text: print(explanation).trimEnd() }),
    (error: unknown): FromSimulator =>
      error instanceof Problem ? { id, problem: plainProblem(error) } : { id, fault: faultOf(error) },
  );
  running.delete(id);
  port.postMessage(reply);
}

const faultOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));
