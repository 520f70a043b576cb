/** Compares replies to requests for another account's objects and for objects that do not exist: they must be equal. */
import { expect } from "vitest";
import type { Answer, Client } from "../../service/api.ts";
import { asVictim, missingLike } from "./objects.ts";

export interface Case {
  readonly method: string;
  /** Returns the path that names these values. */
  readonly path: (values: readonly string[]) => string;
  readonly body?: (values: readonly string[]) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the victim. */
  readonly values: readonly string[];
  /** The allowed statuses of the reply. */
  readonly statuses: readonly number[];
}

/** Headers that differ between any two replies. */
const changing = ["date", "x-request-id", "x-ratelimit-remaining", "etag", "content-length", "x-fairlead-change"];

type Caller = Pick<Client, "call">;

/** `secrets` are ids of the victim: a reply may contain only those that the request named. */
async function compare(client: Caller, secrets: readonly string[], one: Case): Promise<void> {
  const send = async (values: readonly string[], left = 5): Promise<Answer> => {
    const answer = await client.call(one.method, one.path(values), one.body?.(values), { ...one.headers });
    // the reply of a busy store does not depend on the request
    return answer.status === 503 && left > 0 ? await send(values, left - 1) : answer;
  };
  const [theirs, missing] = await Promise.all([send(one.values), send(one.values.map(missingLike))]);
  const what = `${one.method} ${one.path(one.values)} ${JSON.stringify(one.body?.(one.values)) ?? ""}`;
  expect(shown(theirs, theirs.text, one), what).toEqual(shown(missing, asVictim(missing.text, one.values), one));
  expect(one.statuses, `${what}: ${theirs.status} ${theirs.text}`).toContain(theirs.status);
  const asked = what.toLowerCase();
  const revealed = secrets.filter((id) => theirs.text.includes(id) && !asked.includes(id));
  expect(revealed, what).toEqual([]);
}

/** The compared parts of a reply, without ids that were made for it. */
function shown({ status, headers }: Answer<unknown>, text: string, { values }: Case) {
  const asked = values.join(" ").toLowerCase();
  return {
    status,
    text: text
      .replaceAll(/[0-9a-f]{24}/g, (id) => (asked.includes(id) ? id : "id"))
      .replaceAll(/"(created_at|updated_at|serial)":\d+/g, '"$1":0'),
    headers: [...headers].filter(([name]) => !changing.includes(name)).map(([name, value]) => `${name}: ${value}`),
  };
}

/** Compares all cases, a few at a time. */
export async function compareAll(client: Caller, secrets: readonly string[], cases: readonly Case[]): Promise<void> {
  const atOnce = 4;
  for (let i = 0; i < cases.length; i += atOnce) {
    await Promise.all(cases.slice(i, i + atOnce).map((one) => compare(client, secrets, one)));
  }
}
