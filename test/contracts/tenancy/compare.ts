/** Compares replies to requests for another account's objects and for objects that do not exist: they must be equal. */
import { expect } from "vitest";
import type { Answer, Client } from "../../service/api.ts";
import { asVictim, unlike } from "./things.ts";

export interface Case {
  readonly method: string;
  /** `values` put into place. */
  readonly path: (values: readonly string[]) => string;
  readonly body?: (values: readonly string[]) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the victim. */
  readonly values: readonly string[];
  /** Statuses that it may have. */
  readonly statuses: readonly number[];
}

/** Headers that differ between any two replies. */
const changing = ["date", "x-request-id", "x-ratelimit-remaining", "etag", "content-length", "x-fairlead-change"];

type Caller = Pick<Client, "call">;

/** `secrets` are the ids of the victim, of which no answer holds one that was not asked for. */
async function compare(client: Caller, secrets: readonly string[], one: Case): Promise<void> {
  const send = async (values: readonly string[], left = 5): Promise<Answer> => {
    const answer = await client.call(one.method, one.path(values), one.body?.(values), { ...one.headers });
    // the reply of a busy store does not depend on the request
    return answer.status === 503 && left > 0 ? await send(values, left - 1) : answer;
  };
  const [theirs, nobodys] = await Promise.all([send(one.values), send(one.values.map(unlike))]);
  const what = `${one.method} ${one.path(one.values)} ${JSON.stringify(one.body?.(one.values)) ?? ""}`;
  expect(said(theirs, theirs.text, one), what).toEqual(said(nobodys, asVictim(nobodys.text, one.values), one));
  expect(one.statuses, `${what}: ${theirs.status} ${theirs.text}`).toContain(theirs.status);
  const asked = what.toLowerCase();
  const told = secrets.filter((id) => theirs.text.includes(id) && !asked.includes(id));
  expect(told, what).toEqual([]);
}

/** Without ids that were made for the answer. */
function said({ status, headers }: Answer<unknown>, text: string, { values }: Case) {
  const asked = values.join(" ").toLowerCase();
  return {
    status,
    text: text.replaceAll(/[0-9a-f]{24}/g, (id) => (asked.includes(id) ? id : "id")),
    headers: [...headers].filter(([name]) => !changing.includes(name)).map(([name, value]) => `${name}: ${value}`),
  };
}

/** Some at a time. */
export async function compareAll(client: Caller, secrets: readonly string[], cases: readonly Case[]): Promise<void> {
  const atOnce = 4;
  for (let i = 0; i < cases.length; i += atOnce) {
    await Promise.all(cases.slice(i, i + atOnce).map((one) => compare(client, secrets, one)));
  }
}
