/** What the supervisor and its children tell each other over their IPC channel, and how a question finds its answer. */
import type { Config } from "../../config/config.ts";
import type { EdgeOptions } from "../../edge/edge.ts";
import type { DnsSocket } from "../../edge/workers/listening.ts";
import { unavailable } from "../../lib/problem.ts";

export type Role = "control" | "edge";

/** What every process of Fairlead can be asked; an edge also to keep what it knows, and how far that reaches. */
export type Question = "metrics" | "status" | "keep";

/** First message to a child: everything that it needs to run. */
export interface Start {
  readonly kind: "start";
  readonly config: Config;
  readonly storeUrl: string;
  readonly listen: readonly DnsSocket[];
  readonly secure?: NonNullable<EdgeOptions["secure"]>;
  readonly takesOver?: NonNullable<EdgeOptions["takesOver"]>;
}

export type Message =
  | Start
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly message: string }
  /** Another process has taken over. */
  | { readonly kind: "retire" }
  | { readonly kind: "ask"; readonly id: number; readonly of: Role; readonly what: Question }
  | { readonly kind: "told"; readonly id: number; readonly text: string | undefined };

/** One end of a channel: a child process seen from the supervisor, or the supervisor seen from a child. */
export interface Channel {
  send(message: Message): void;
  listen(receive: (message: Message) => void): void;
}

export interface Link {
  /** Asks across the channel; throws when there is no answer within so many milliseconds, a second by default. */
  ask(of: Role, what: Question, within?: number): Promise<string>;
}

/** Answers questions with `answer` and passes our own on; other messages go to `receive`. */
export function openLink(
  channel: Channel,
  answer: (of: Role, what: Question) => Promise<string>,
  receive: (message: Message) => void = () => {},
): Link {
  const waiting = new Map<number, (text: string | undefined) => void>();
  let last = 0;
  channel.listen((message) => {
    if (message.kind === "told") waiting.get(message.id)?.(message.text);
    else if (message.kind === "ask") {
      const tell = (text: string | undefined) => channel.send({ kind: "told", id: message.id, text });
      answer(message.of, message.what).then(tell, () => tell(undefined));
    } else receive(message);
  });
  return {
    async ask(of, what, within = 1000) {
      const id = ++last;
      const text = await new Promise<string | undefined>((resolve) => {
        const timer = setTimeout(resolve, within, undefined);
        waiting.set(id, (told) => {
          clearTimeout(timer);
          resolve(told);
        });
        channel.send({ kind: "ask", id, of, what });
      });
      waiting.delete(id);
      if (text === undefined) throw unavailable(`${of} does not answer`);
      return text;
    },
  };
}
