/** Sends a request about what another account has, and the same about what nobody has: nobody can tell them apart. */
import { expect } from "vitest";
import type { Client } from "../../api.ts";
import { asVictim, unlike } from "./things.ts";

export interface Case {
  readonly method: string;
  /** `values` put into place. */
  readonly path: (values: readonly string[]) => string;
  readonly body?: (values: readonly string[]) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the victim. */
  readonly values: readonly string[];
  /** Statuses that it may have. */
  readonly statuses: readonly number[];
}

/** These differ from request to request, whoever asks for whatever. */
const changing = ["date", "x-request-id", "x-ratelimit-remaining", "etag", "content-length", "x-fairlead-change"];

export async function compare(client: Client, one: Case): Promise<void> {
  const send = (values: readonly string[]) =>
    client.call(one.method, one.path(values), one.body?.(values), { ...one.headers });
  const [theirs, nobodys] = await Promise.all([send(one.values), send(one.values.map(unlike))]);
  const what = `${one.method} ${one.path(one.values)} ${JSON.stringify(one.body?.(one.values)) ?? ""}`;
  const headers = (answer: typeof theirs) =>
    [...answer.headers].filter(([name]) => !changing.includes(name)).map(([name, value]) => `${name}: ${value}`);
  const said = (answer: typeof theirs, text: string) => ({ status: answer.status, text, headers: headers(answer) });
  const told = nobodys.text.replaceAll(/(?<=")\S+(?=")/g, (word) => asVictim(word, one.values));
  expect(said(theirs, theirs.text), what).toEqual(said(nobodys, asVictim(told, one.values)));
  expect(one.statuses, `${what}: ${theirs.status} ${theirs.text}`).toContain(theirs.status);
}

/** Some at a time. */
export async function compareAll(client: Client, cases: readonly Case[]): Promise<void> {
  const atOnce = 8;
  for (let i = 0; i < cases.length; i += atOnce) {
    await Promise.all(cases.slice(i, i + atOnce).map((one) => compare(client, one)));
  }
}
