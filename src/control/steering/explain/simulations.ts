/**
 * Simulations: requests to explain, each with a slot of its account while it runs. Of one editor only the newest request
 * runs or waits.
 */
import { type SlotLimits, Slots } from "../../../lib/fair/slots.ts";
import { conflict, limited } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import type { ExplainOrder } from "./explain.ts";
import { Simulator, type SimulatorOptions } from "./simulator.ts";

/** Simulations that run at the same time, and those that wait. */
export const simulationSlots = {
  all: 8,
  own: 4,
  most: 16,
  waiting: { all: 400, own: 20 },
} as const satisfies SlotLimits;

/** A request, from its arrival to its reply. */
interface Request {
  readonly work: (signal: AbortSignal) => Promise<string>;
  readonly replaced: AbortController;
  readonly reply: PromiseWithResolvers<string>;
}

/** The place of an editor in the line, with its newest request. */
interface Place {
  readonly key: string;
  readonly account_id: string;
  readonly editor: string;
  newest: Request;
}

export class Simulations {
  readonly #simulator: Simulator;
  readonly #slots = new Slots(simulationSlots);
  readonly #places = new Map<string, Place>();

  constructor(options: SimulatorOptions) {
    this.#simulator = new Simulator(options);
  }

  /**
   * Returns the reply as JSON. `prepare` makes the order when it is the request's turn. A newer request of the same editor,
   * which belongs to the caller, takes the place of an older one.
   */
  run(
    { account_id, caller, now }: Ctx,
    name: string | undefined,
    prepare: () => Promise<ExplainOrder>,
  ): Promise<string> {
    const { access, kind, id } = caller;
    const editor = `${kind} ${id}${name === undefined ? "" : ` ${name}`}`;
    const request: Request = {
      work: async (signal) => await this.#simulator.ask({ account_id, access, editor }, now, await prepare(), signal),
      replaced: new AbortController(),
      reply: Promise.withResolvers(),
    };
    const key = `${account_id} ${editor}`;
    const known = name === undefined ? undefined : this.#places.get(key);
    if (known) {
      replace(known.newest, name!);
      known.newest = request;
    } else {
      const place: Place = { key, account_id, editor, newest: request };
      if (name !== undefined) this.#places.set(key, place);
      void this.#serve(place);
    }
    return request.reply.promise;
  }

  async close(): Promise<void> {
    await this.#simulator.close();
  }

  /** Runs the newest request of a place until there is no newer one. A newer one waits in the line again. */
  async #serve(place: Place): Promise<void> {
    for (let last: Request | undefined; last !== place.newest; ) {
      const slot = await this.#slots.wait(place.account_id, place.editor);
      last = place.newest;
      if (!slot) {
        last.reply.reject(tooMany());
        continue;
      }
      await answer(last).finally(() => slot.leave());
    }
    if (this.#places.get(place.key) === place) this.#places.delete(place.key);
  }
}

/** Answers a request that was not replaced yet. A slot is held until its work has ended. Never rejects. */
const answer = ({ work, replaced: { signal }, reply }: Request): Promise<void> =>
  signal.aborted ? Promise.resolve() : work(signal).then(reply.resolve, reply.reject);

/** Refuses a request at once; its work ends at the next step. */
function replace({ replaced, reply }: Request, editor: string): void {
  const problem = conflict(`a newer request of the editor "${editor}" took the place of this one`, { editor }, 409);
  replaced.abort(problem);
  reply.reject(problem);
}

const tooMany = () => limited("too many simulations of the account are waiting for one another", { retry_after: 1 });
