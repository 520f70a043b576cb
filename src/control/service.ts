/** The service behind the route kit: authentication, rights, reads, and the transactions around writes. */
import type { Target } from "../http/route/route.ts";
import type { Recheck, Sender, Service } from "../http/route/service.ts";
import type { Warnings } from "../http/route/warnings.ts";
import { seconds } from "../lib/clock.ts";
import type { Traffic } from "../lib/fair/yield.ts";
import { unauthenticated } from "../lib/problem.ts";
import { holds } from "./access/access.ts";
import { assertActive, assertAdmitted } from "./access/admission.ts";
import {
  anonymous,
  assertConfirmed,
  assertPermitted,
  type Caller,
  canonicalTarget,
  isPermitted,
} from "./access/caller.ts";
import type { Keys } from "./access/keys.ts";
import type { Right } from "./access/rights.ts";
import type { Services } from "./index.ts";
import { shareOfNetwork } from "./kit/store.ts";
import { callerOf } from "./people/credentials/sign-in-user.ts";
import { findSignInUser } from "./people/credentials/sign-in-user-store.ts";
import { notSignedIn } from "./people/signin/current-session.ts";
import { type Ctx, contextOf, type WriteOptions } from "./write/context.ts";
import { GroupCommit } from "./write/group-commit.ts";
import { settle } from "./write/settle/settle.ts";
import { bareRequest, Write, type Writer } from "./write/write.ts";

export interface ServiceOptions extends WriteOptions {
  readonly keys: Keys;
  readonly traffic: Traffic;
  /** The services that handlers find in their context besides the common ones. */
  readonly services: Services;
}

export function createService(options: ServiceOptions): Service<Caller, Right, Ctx & Services> {
  const { store, keys, services, settings } = options;
  const { sessions } = services;
  const groupCommit = new GroupCommit(store);
  const withServices = (ctx: Ctx) => ({ ...ctx, ...services });
  return {
    authenticate: (credentials, sender) =>
      credentials.session === undefined
        ? keys.authenticate(credentials.key, sender)
        : sessions.authenticate(credentials, sender),
    admit: assertAdmitted,
    permit(caller, rights, sent: Target | undefined, isWrite) {
      const target = canonicalTarget(sent);
      const { access } = caller;
      const wanted = rights.find((right) => isPermitted(access, right, target));
      const right = wanted ?? rights.find((right) => holds(access, right)) ?? rights[0];
      assertPermitted(caller, right, target);
      if (isWrite) assertConfirmed(caller, right, seconds(options.clock));
    },
    accountOf: (caller) => caller.account_id,
    rate: (caller) => (caller ? settings.rate : keylessRate),
    read: (caller, { sender, recheck, warnings }, run) => {
      options.traffic.requests++;
      const db = store.readsOf(caller?.account_id ?? shareOfNetwork(sender.network));
      const ctx = { ...withServices(contextOf(options, db, caller ?? anonymous, warnings)), sender };
      if (recheck === undefined) return run(ctx);
      const writer = { caller: ctx.caller, standing: standingIn(options, recheck) };
      return run({ ...ctx, transact: transactions(options, writer, { sender, warnings }) });
    },
    settle: ({ account_id }, change, within) => settle(store.readsOf(account_id), account_id, change, within),
    async write(caller, { recheck, precondition, ...rest }, run) {
      options.traffic.requests++;
      const writer = { caller: requiredCaller(caller), standing: standingIn(options, recheck) };
      const request = { ...rest, precondition: precondition && ((ctx: Ctx) => precondition(withServices(ctx))) };
      const write = new Write(options, writer, request, (ctx) => run(withServices(ctx)));
      const { written, acts } = await (write.isShareable
        ? groupCommit.run(write)
        : write.run(request.within === undefined ? {} : { within: request.within, isLong: true }));
      for (const act of acts) act();
      if (written.change !== undefined) options.wake();
      return written;
    },
  };
}

/** Finds the caller again in a transaction, with the permissions that the store has then. */
const standingIn =
  ({ keys, services: { sessions } }: ServiceOptions, recheck: Recheck<Caller>): Writer["standing"] =>
  async (db) =>
    requiredCaller(
      await recheck((credentials, sender) =>
        credentials.session === undefined
          ? keys.findAgain(db, credentials.key)
          : sessions.findAgain(db, credentials, sender),
      ),
    );

/** The time limit for transactions that a handler starts itself, in milliseconds. */
const ownPatience = 120_000;

const transactions =
  (options: ServiceOptions, writer: Writer, from: { sender: Sender; warnings: Warnings }): Ctx["transact"] =>
  async (log, step, by) => {
    let last: Awaited<ReturnType<typeof step>> | undefined;
    const write = new Write(options, by ? userWriter(by) : writer, { ...bareRequest, ...from, log }, async (ctx) => {
      last = await step(ctx);
      const { resource, before } = last;
      return { changed: true, resource, before, reply: { status: 200, headers: {}, body: "" } };
    });
    const { written, acts } = await write.run({ within: ownPatience });
    for (const act of acts) act();
    options.wake();
    if (last === undefined) throw new Error("a transaction was committed whose step did not run");
    return { result: last.result, change: written.change };
  };

/** The writer for a user whom the handler identified without a complete session. */
const userWriter = (caller: Caller): Writer => ({
  caller,
  async standing(db) {
    const user = await findSignInUser(db, caller);
    if (!user) throw notSignedIn();
    const now = callerOf(user);
    assertActive(now.suspended);
    return now;
  },
});

/** The rate limit of one address without a valid key. */
export const keylessRate = { limit: 1000, period: 1 };

function requiredCaller(caller: Caller | undefined): Caller {
  if (!caller) throw unauthenticated("a key is required");
  return caller;
}
