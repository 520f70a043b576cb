/** The service behind the route kit: authentication, rights, reads, and the transactions around writes. */
import type { Target } from "../http/route.ts";
import type { Service } from "../http/service.ts";
import { unauthenticated } from "../lib/problem.ts";
import { holds } from "./access/access.ts";
import { assertAdmitted } from "./access/admission.ts";
import { assertPermitted, type Caller, isPermitted, nobody, placeOf } from "./access/caller.ts";
import type { Right } from "./access/rights.ts";
import { assertStillActive } from "./account/suspension.ts";
import { type Ctx, contextOf, type ServiceOptions } from "./context.ts";
import { Convoy } from "./convoy.ts";
import { Write } from "./write.ts";

export function createService(options: ServiceOptions): Service<Caller, Right, Ctx> {
  const { store, keys, sessions, settings } = options;
  const convoy = new Convoy(store);
  return {
    authenticate: (credentials, sender) =>
      credentials.session === undefined
        ? keys.authenticate(credentials.key)
        : sessions.authenticate(credentials, sender),
    admit: assertAdmitted,
    permit(caller, rights, target: Target | undefined) {
      const place = placeOf(target);
      const { access } = caller;
      const wanted = rights.find((right) => isPermitted(access, right, place));
      assertPermitted(caller, wanted ?? rights.find((right) => holds(access, right)) ?? rights[0], place);
    },
    accountOf: (caller) => caller.account_id,
    rate: (caller) => (caller ? settings.rate : strangers),
    read: (caller, { sender, standing }, run) => {
      options.traffic.requests++;
      const ctx = { ...contextOf(options, store.db, caller ?? nobody), sender };
      const { address } = sender;
      if (standing === undefined) return run(ctx);
      return run({ ...ctx, address, transact: transactions(options, ctx.caller, address, standing) });
    },
    async write(caller, request, run) {
      options.traffic.requests++;
      const write = new Write(options, known(caller), request, run);
      const { written, acts } = await (write.isShareable
        ? convoy.run(write)
        : write.run(request.within === undefined ? {} : { within: request.within }));
      for (const act of acts) act();
      if (written.change !== undefined) options.wake();
      return written;
    },
  };
}

/** Milliseconds for writes that a handler makes at its own pace. */
const ownPatience = 120_000;

const transactions =
  (options: ServiceOptions, caller: Caller, address: string, standing: () => Promise<unknown>): Ctx["transact"] =>
  async (log, step, by = caller) => {
    // a file may be read for long
    await standing();
    let last: Awaited<ReturnType<typeof step>> | undefined;
    const plain = { requestId: "", idempotency: undefined, shareable: false, secret: false, precondition: undefined };
    const write = new Write(options, by, { ...plain, address, log }, async (ctx) => {
      await assertStillActive(ctx.db, ctx.account_id);
      last = await step(ctx);
      const { resource, before } = last;
      return { changed: true, resource, before, reply: { status: 200, body: "" } };
    });
    const { written, acts } = await write.run({ within: ownPatience });
    for (const act of acts) act();
    options.wake();
    if (last === undefined) throw new Error("a transaction was committed whose step did not run");
    return { result: last.result, change: written.change };
  };

/** Requests of one address without a valid key. */
const strangers = { limit: 1000, period: 1 };

function known(caller: Caller | undefined): Caller {
  if (!caller) throw unauthenticated("a key is required");
  return caller;
}
