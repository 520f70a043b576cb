/** Checks, before a measurement, that contenders give the same answers. */
import { output } from "../../test/machine/processes.ts";
import type { Contender } from "./contender.ts";

interface Reply {
  readonly status: string;
  /** The records of all sections as sorted lines, since servers may choose the order. */
  readonly records: string;
  /** Both halves of the cookie in hexadecimal; undefined without a cookie. */
  readonly cookie: string | undefined;
}

/** The client's half of a cookie. */
const clientCookie = "0123456789abcdef";

/** The reply to a question such as `www.example.com A`, sent with the client's half of a cookie, or both halves. */
async function replyOf(port: number, question: string, cookie = clientCookie): Promise<Reply> {
  const flags = ["+noall", "+comments", "+answer", "+authority", "+additional", "+norec", "+nobadcookie"];
  const asked = ["@127.0.0.1", "-p", `${port}`, ...flags, `+cookie=${cookie}`, ...question.split(" ")];
  const printed = await output("dig", asked);
  const lines = printed.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  return {
    status: /status: (\w+)/.exec(printed)?.[1] ?? "no answer",
    records: lines
      .map((line) => line.toLowerCase().replaceAll(/\s+/g, " "))
      .sort()
      .join("\n"),
    cookie: /; COOKIE: (\w+)/.exec(printed)?.[1],
  };
}

interface Agreed<T extends Contender> {
  readonly contenders: readonly T[];
  /** How the contenders that are left out differ, by name. */
  readonly differing: Readonly<Record<string, string>>;
  /** The cookie option with each server's own cookie, for load. */
  readonly cookies: ReadonlyMap<string, string>;
}

/** The contenders that answer these questions like the first one, to a client with a valid cookie. */
export async function agreeing<T extends Contender>(
  contenders: readonly T[],
  questions: readonly string[],
): Promise<Agreed<T>> {
  const differing: Record<string, string> = {};
  const cookies = new Map<string, string>();
  const wanted = new Map<string, Reply>();
  for (const { name, port } of contenders) {
    for (const question of questions) {
      const { cookie } = await replyOf(port, question);
      const reply = await replyOf(port, question, cookie);
      const first = wanted.get(question) ?? reply;
      wanted.set(question, first);
      if (cookie !== undefined) cookies.set(name, `10:${cookie}`);
      if (reply.status !== first.status) differing[name] = `answers ${reply.status}`;
      else if (reply.records !== first.records) differing[name] = "answers with other records";
    }
  }
  return { contenders: contenders.filter(({ name }) => differing[name] === undefined), differing, cookies };
}
