/** Runs very many cases against a service, in several accounts side by side. */
import { type Case, drawCase, type Kind } from "./cases.ts";
import { type Entrance, Person } from "./people.ts";
import { type Made, type Played, play, type Stage } from "./play.ts";
import type { Verdict } from "./step.ts";
import { type Send, type Session, World } from "./world.ts";

export interface RunOptions extends Entrance {
  /** First keys of accounts without zones. */
  readonly keys: readonly string[];
  /** The seed of the first case; each later case has the next one. */
  readonly seed: number;
  readonly cases: number;
  /** The number of differences after which the run ends. */
  readonly mostDifferences?: number;
}

export interface Report {
  readonly cases: number;
  /** Numbers of calls, by verdict and whether they were refused. */
  readonly counts: ReadonlyMap<string, number>;
  readonly calls: number;
  readonly seconds: number;
  /** Descriptions, each with the shortest list of calls found that still has a difference. */
  readonly differences: readonly string[];
}

export async function runCases({ keys, seed, cases, mostDifferences = 3, ...entrance }: RunOptions): Promise<Report> {
  const began = performance.now();
  const counts = new Map<string, number>();
  const differences: string[] = [];
  const send = sender(entrance.url);
  let next = 0;
  let calls = 0;
  const lane = async (key: string, at: number) => {
    const world = new World(`lane${at}`, key, send);
    // a user with all rights who always remains, so that the drawn ones can be deleted
    const { session: keeper } = await new Person(world, send, entrance, "first").signIn();
    await world.build();
    const stage = { world, person: new Person(world, send, entrance, "person"), keeper, send };
    while (next < cases && differences.length < mostDifferences) {
      const drawn = drawCase(seed + next++, world);
      const played = await play(drawn, stage);
      calls += played.made.length;
      for (const made of played.made) count(counts, made);
      if (played.difference !== undefined) differences.push(describe(drawn, await shortest(drawn, played, stage)));
    }
  };
  await Promise.all(keys.map(lane));
  return { cases: next, calls, counts, differences, seconds: Math.round((performance.now() - began) / 1000) };
}

export const print = ({ cases, calls, seconds, differences }: Report) =>
  `permissions: ${cases} cases, ${calls} calls in ${seconds} s, ${differences.length} ${differences.length === 1 ? "difference" : "differences"}`;

/** Leaves out calls that are not needed for the difference, one by one. */
async function shortest(drawn: Case, played: Played, stage: Stage): Promise<Played> {
  let [least, found] = [drawn, played];
  for (let at = drawn.calls.length - 1; at >= 0; at--) {
    const fewer = { ...least, calls: least.calls.filter((_, i) => i !== at) };
    const again = await play(fewer, stage);
    if (again.difference !== undefined) [least, found] = [fewer, again];
  }
  return found;
}

const describe = ({ seed }: Case, { story, difference }: Played) =>
  `case ${seed}: ${difference}\n  ${story.join("\n  ")}\n`;

function count(counts: Map<string, number>, { kind, by, verdict, status }: Made): void {
  const outcome = status === 200 ? "done" : status === 403 || status === 404 ? "refused" : "invalid";
  for (const what of [`${verdict}, ${outcome}`, `${kind}: ${outcome}`, `by ${by}, ${outcome}`] satisfies (
    | `${Verdict}, ${string}`
    | `${Kind}: ${string}`
    | `by ${string}`
  )[]) {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
}

function sender(url: string): Send {
  return async (credential, method, path, body) => {
    const reply = await fetch(`${url}/v1/${path}`, {
      method,
      headers: {
        ...headersOf(credential, url),
        ...(typeof body === "object" ? { "Content-Type": "application/json" } : {}),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = text !== "" && reply.headers.get("content-type") === "application/json";
    return { status: reply.status, text, body: (isJson ? JSON.parse(text) : undefined) as never };
  };
}

const headersOf = (credential: string | Session, url: string): Record<string, string> =>
  typeof credential === "string"
    ? { "X-NSONE-Key": credential }
    : { Cookie: credential.cookie, "X-CSRF-Token": credential.csrf, Origin: url };
