/** What contenders answer before they are measured: only what says the same is compared. */
import { output } from "../../test/machine/processes.ts";
import type { Contender } from "./contender.ts";

interface Reply {
  readonly status: string;
  /** Answer, authority and additional section, as text; the order inside a section is nobody's to choose. */
  readonly records: string;
  /** Both halves, in hexadecimal; undefined where there is none. */
  readonly cookie: string | undefined;
}

/** A client's half of a cookie. */
const clientCookie = "0123456789abcdef";

/** The reply to a question such as `www.example.com A`, sent with a cookie: one's own half alone, or both. */
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
  /** How others answer differently. */
  readonly differing: Readonly<Record<string, string>>;
  /** The cookie option of a client that has asked each before, for load. */
  readonly cookies: ReadonlyMap<string, string>;
}

/** Those of the contenders that answer these questions as the first does, to a client whose cookie they know. */
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
