/**
 * Sessions of users: found by keyed hash and cached for less than a second; their last use is stored. An incomplete
 * session never makes a caller.
 */

import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ClientNames } from "../../../http/message/address.ts";
import type { Credentials } from "../../../http/message/credentials.ts";
import type { Sender } from "../../../http/route/service.ts";
import { type Clock, seconds } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import { denied, unauthenticated } from "../../../lib/problem.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import { assertAdmitted } from "../../access/admission.ts";
import { CredentialCache } from "../../access/cache.ts";
import type { Caller } from "../../access/caller.ts";
import type { CredentialOptions } from "../../access/keys.ts";
import { LastUse } from "../../access/last-use.ts";
import { limits } from "../../kit/limits.ts";
import { type Db, shareOfNetwork } from "../../kit/store.ts";
import type { Proof } from "../credentials/session-store.ts";
import {
  findSession,
  insertSession,
  type Lifetimes,
  removeOldest,
  type SessionUse,
  touchSessions,
  touchUser,
} from "../credentials/session-store.ts";
import { callerOf } from "../credentials/sign-in-user.ts";
import type { SignInUser } from "../credentials/sign-in-user-store.ts";
import { refusals, type Stage, stageOf } from "./stage.ts";

export const lifetimes: Lifetimes = { idle: 3600, total: 12 * 3600, incomplete: 600 };
/** Seconds for which a session may give others access without another proof of who uses it. */
const confirmedFor = 900;

export interface Session {
  readonly id: string;
  readonly stage: Stage;
  readonly user: SignInUser;
  readonly caller: Caller;
  /** The latest end of the session, in Unix seconds. */
  readonly ends: number;
}

/** A new session. */
export interface NewSession {
  readonly stage: Stage;
  /** The value of the cookie. */
  readonly secret: string;
  /** The token that pages send with writes. */
  readonly csrf: string;
}

export class Sessions {
  readonly #store: CredentialOptions["store"];
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #memory = new CredentialCache<Session>();
  readonly #uses: LastUse<SessionUse>;

  constructor(options: CredentialOptions) {
    this.#store = options.store;
    this.#secrets = options.secrets;
    this.#clock = options.clock;
    this.#uses = new LastUse((uses) => touchSessions(this.#store.db, uses), options.log);
  }

  /** The caller of a session. Throws `unauthenticated` with the missing step if the session is incomplete. */
  async authenticate(credentials: Credentials, sender: Sender): Promise<Caller | undefined> {
    return completeCaller(await this.find(credentials, sender), sender);
  }

  /** The caller of a session that was found before, read again in the transaction of `db`. */
  async findAgain(db: Db, { session: secret }: Credentials, sender: Sender): Promise<Caller | undefined> {
    return completeCaller(secret === undefined ? undefined : await this.#load(db, secret), sender);
  }

  /** The session in any stage. Throws `denied` for a write without the CSRF token. */
  async find({ session: secret, csrf, safe }: Credentials, { network }: ClientNames): Promise<Session | undefined> {
    if (secret === undefined) return undefined;
    const session = await this.#memory.find(secret, (account_id) =>
      this.#load(this.#store.readsOf(account_id ?? shareOfNetwork(network)), secret),
    );
    if (session === undefined) return undefined;
    if (!safe && !isSame(csrf ?? "", this.csrfOf(secret))) {
      throw denied(
        "a write with a session needs the header X-CSRF-Token: it is missing or wrong (GET /v1/auth/session returns the " +
          "right value)",
      );
    }
    if (session.stage !== "second_factor") this.#use(session);
    return session;
  }

  /**
   * Begins a session in the transaction of `db`, and ends the user's oldest session if there are too many. The new
   * session takes nothing over from an earlier one. Throws `unauthenticated` if the proof is no longer valid.
   */
  async begin(
    db: Db,
    user: SignInUser,
    proof: Proof,
    stage: "full" | "second_factor",
    sender: Sender,
  ): Promise<NewSession> {
    const secret = randomBytes(32).toString("base64url");
    const now = seconds(this.#clock);
    const row = {
      account_id: user.account_id,
      user_id: user.id,
      id: newId(),
      hash: this.#hashOf(secret),
      stage,
      created: now,
      used_at: now,
      address: sender.address,
      agent: sender.agent.slice(0, 300),
    };
    if (!(await insertSession(db, row, proof))) throw signInRefused();
    if (stage === "full") await touchUser(db, user, now);
    // of the same stage only: the password alone must not end full sessions
    await removeOldest(db, row, limits.sessions - 1);
    return { stage: stageOf(stage, user), secret, csrf: this.csrfOf(secret) };
  }

  /** The CSRF token that pages send with writes. It can only be computed with the service's key. */
  csrfOf(secret: string): string {
    return this.#secrets.hash(`csrf:${secret}`);
  }

  /** Empties the cache, so that a change made by this process applies from the next request. */
  forget(): void {
    this.#memory.forget();
  }

  async close(): Promise<void> {
    await this.#uses.close();
  }

  async #load(db: Db, secret: string): Promise<Session | undefined> {
    const row = await findSession(db, this.#hashOf(secret), seconds(this.#clock), lifetimes);
    if (!row) return undefined;
    const { session_id: id, began } = row;
    // the first user has no password to give yet
    const confirmedUntil = row.password === null ? Number.POSITIVE_INFINITY : began + confirmedFor;
    const caller = callerOf(row, confirmedUntil);
    return { id, stage: stageOf(row.stage, row), user: row, caller, ends: began + lifetimes.total };
  }

  #use({ id, user: { account_id, id: user_id } }: Session): void {
    this.#uses.note(id, { account_id, user_id, session_id: id, at: seconds(this.#clock) });
  }

  #hashOf(secret: string): string {
    return this.#secrets.hash(`session:${secret}`);
  }
}

/** The refusal that does not reveal whether the name, the password or the address is wrong. */
export const signInRefused = () =>
  unauthenticated("wrong user name or password, or signing in from here is not allowed for this user");

/** The caller of a complete session. Throws for an incomplete one. */
function completeCaller(session: Session | undefined, { address }: Sender): Caller | undefined {
  if (session === undefined || session.stage === "full") return session?.caller;
  assertAdmitted(session.caller, address);
  throw unauthenticated(refusals[session.stage], { stage: session.stage });
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
