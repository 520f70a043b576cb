/** Plays a case: creates its holders, makes its calls, and compares the service's behaviour with the rules. */
import { isDeepStrictEqual } from "node:util";
import { accountCalls } from "./account-calls.ts";
import type { Call, Case, Kind } from "./cases.ts";
import type { Person } from "./people.ts";
import { beyond, powerOf } from "./power.ts";
import type { Access } from "./rules.ts";
import { accessOf, type Make, type Step, type Verdict } from "./step.ts";
import type { Holder, Members, Reply, Send, Session, World } from "./world.ts";
import { zoneCalls } from "./zone-calls.ts";

const makers: Readonly<Record<Kind, Make>> = { ...accountCalls, ...zoneCalls };

/** The outcome of a call, for the counters of a run. */
export interface Made {
  readonly kind: Kind;
  readonly by: "a key" | "a user";
  readonly verdict: Verdict;
  readonly status: number;
}

export interface Played {
  readonly made: readonly Made[];
  /** The calls made, up to the difference if there is one. */
  readonly story: readonly string[];
  readonly difference: string | undefined;
}

/** One account, its signed-in users, and the function that sends calls. */
export interface Stage {
  readonly world: World;
  readonly person: Person;
  /** The session of another user, who always keeps all rights. */
  readonly keeper: Session;
  readonly send: Send;
}

export async function play({ teams, keys, user, calls, seed }: Case, stage: Stage): Promise<Played> {
  const { world, person, send } = stage;
  const made: Made[] = [];
  const story: string[] = [];
  const credentials = new Map<string, string | Session>();
  const elsewhere = new Set<string>();
  const ids: string[] = [];
  for (const [i, permissions] of teams.entries()) {
    const { id } = await world.must<{ id: string }>("PUT", "account/teams", { name: `team ${seed} ${i}`, permissions });
    ids.push(id);
    story.push(`team ${id}: ${JSON.stringify(permissions)}`);
  }
  for (const [i, { permissions, teams: joined, isElsewhere }] of keys.entries()) {
    const held = isElsewhere ? { ip_whitelist: ["192.0.2.0/24"], ip_whitelist_strict: true } : {};
    const body = { name: `key ${seed} ${i}`, permissions, teams: joined.map((at) => ids[at]), ...held };
    const { id, key } = await world.must<{ id: string; key: string }>("PUT", "account/apikeys", body);
    credentials.set(id, key);
    if (isElsewhere) elsewhere.add(id);
    story.push(`key ${id}: ${JSON.stringify({ ...body, name: undefined })}`);
  }
  if (user) {
    const { id, session } = await person.become(
      user.permissions,
      user.teams.map((at) => ids[at]!),
    );
    credentials.set(id, session);
    story.push(`user ${id}: ${JSON.stringify({ ...user, teams: user.teams.map((at) => ids[at]) })}`);
  }
  let members = await world.members();
  let difference: string | undefined;
  for (const [at, call] of calls.entries()) {
    const actors = [...members.keys, ...members.users].filter(({ id }) => credentials.has(id));
    const actor = actors[call.actor % actors.length];
    if (!actor) break;
    const access = accessOf(actor, members);
    const asked = await makers[call.kind]({ world, members, actor, access, free: `f${seed}.${at}` }, call);
    if (!asked) continue;
    const step: Step = elsewhere.has(actor.id) ? { ...asked, verdict: "refused" } : asked;
    for (const zone of step.zones ?? []) world.touch(zone);
    const reply = await send(credentials.get(actor.id)!, step.method, step.path, step.body);
    made.push({
      kind: call.kind,
      by: actor.username === undefined ? "a key" : "a user",
      verdict: step.verdict,
      status: reply.status,
    });
    story.push(lineOf(actor, step, reply));
    const after = isAboutMembers(call) && reply.status === 200 ? await world.members() : members;
    keep(credentials, reply);
    const differences = [
      ...judged(step, reply),
      ...(reply.status === 200 ? ((await step.done?.(reply.body)) ?? []) : []),
      ...raised({ before: members, after, access, world }),
    ];
    members = after;
    difference = differences[0];
    if (difference !== undefined) break;
  }
  const left = await clear(stage, members);
  return { made, story, difference: difference ?? left };
}

/** Compares all objects with their expected state; then removes members and restores zones. */
async function clear({ world, person, keeper }: Stage, known: Members): Promise<string | undefined> {
  const members = await world.members();
  const { keys, users, teams } = members;
  for (const { id } of keys) await world.must("DELETE", `account/apikeys/${id}`);
  for (const { username } of users)
    if (!person.isCalled(username)) await world.must("DELETE", `account/users/${username}`);
  for (const { id } of teams) await world.must("DELETE", `account/teams/${id}`);
  const [difference = await world.dethrone(keeper)] = await world.settle();
  return isDeepStrictEqual(seen(members), seen(known))
    ? difference
    : "a call that was refused changed a key, a user or a team";
}

const lineOf = (actor: Holder, { method, path, body, verdict }: Step, { status, text }: Reply) =>
  `${actor.id}: ${method} ${path} ${typeof body === "string" ? body : (JSON.stringify(body) ?? "")}\n    ${verdict}: ${status} ${text.slice(0, 300).trim()}`;

const isAboutMembers = ({ kind }: Call) => Object.hasOwn(accountCalls, kind) && !kind.startsWith("list");

/** Saves the string of a key that was created. */
function keep(credentials: Map<string, string | Session>, { status, body }: Reply): void {
  const { id, key } = (body ?? {}) as { id?: unknown; key?: unknown };
  if (status === 200 && typeof id === "string" && typeof key === "string") credentials.set(id, key);
}

function judged({ verdict }: Step, { status }: Reply): string[] {
  if (status >= 500 || status === 401) return [`the status is ${status}`];
  const isRefused = status === 403 || status === 404;
  if (verdict === "allowed" && isRefused) return ["the call should be allowed, and was refused"];
  if (verdict === "refused" && !isRefused) return ["the call should be refused, and was not"];
  return [];
}

interface Change {
  readonly before: Members;
  readonly after: Members;
  /** The access of the caller. */
  readonly access: Access;
  readonly world: World;
}

/** After a call, no member holds more than before, except for access that the caller held. */
function raised({ before, after, access, world: { universe } }: Change): string[] {
  if (before === after) return [];
  const held = powerOf(access, universe);
  const bearers = ({ keys, users, teams }: Members) =>
    new Map([
      ...[...keys, ...users].map((one) => [one.id, accessOf(one, { keys, users, teams })] as const),
      ...teams.map(({ id, permissions }) => [id, [permissions]] as const),
    ]);
  const was = bearers(before);
  return [...bearers(after)].flatMap(([id, now]) => {
    const [more] = beyond(powerOf(now, universe), held, powerOf(was.get(id) ?? [], universe));
    return more === undefined ? [] : [`${id} holds ${more}, which neither it nor the caller held`];
  });
}

const seen = ({ keys, users, teams }: Members) =>
  [keys, users, teams].map((list) => list.map((one) => ({ ...one, last_access: undefined })));
