/** The messages between the supervisor and its children over an IPC channel, some of which are questions and answers. */
import type { Config } from "../../config/config.ts";
import type { EdgeOptions } from "../../edge/edge.ts";
import type { DnsSocket } from "../../edge/workers/listening.ts";
import { unavailable } from "../../lib/problem.ts";
import type { XdpQueue } from "../../net/xdp/queue.ts";

export type Role = "control" | "edge";

/**
 * Questions to a process. `keep` is for an edge: it saves its state on disk and answers with its position. `first token` is
 * for control: it makes the token of the link with which the first user signs in.
 */
export type Question = "metrics" | "status" | "keep" | "first token";

/** The first message to a child: everything that it needs to run. */
export interface Start {
  readonly kind: "start";
  readonly config: Config;
  readonly storeUrl: string;
  /** The name of this process in leases. */
  readonly holder?: string;
  readonly listen: readonly DnsSocket[];
  readonly secure?: NonNullable<EdgeOptions["secure"]>;
  /** Queues of interfaces whose queries are read through AF_XDP. */
  readonly xdp?: readonly XdpQueue[];
  readonly takesOver?: NonNullable<EdgeOptions["takesOver"]>;
  /** Inherited sockets of the API and of metrics. */
  readonly http?: number;
  readonly metrics?: number;
  /** Whether the role runs without the other one, and serves its own metrics. */
  readonly isAlone?: true;
}

export type Message =
  | Start
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly message: string }
  /** Another process has taken over. */
  | { readonly kind: "retire" }
  /** To an edge: control is away, and the edge numbers changes as this holder of leases. Without a holder: no longer. */
  | { readonly kind: "number"; readonly holder: string | undefined }
  | { readonly kind: "ask"; readonly id: number; readonly of: Role; readonly question: Question }
  | { readonly kind: "answer"; readonly id: number; readonly text: string | undefined };

/** One end of a channel: to a child in the supervisor, or to the supervisor in a child. */
export interface Channel {
  send(message: Message): void;
  listen(receive: (message: Message) => void): void;
}

export interface Link {
  /** Asks over the channel. Throws if there is no answer within `within` milliseconds, by default a second. */
  ask(of: Role, question: Question, within?: number): Promise<string>;
}

/** Answers incoming questions with `answer`, and can ask the other end; all other messages go to `receive`. */
export function openLink(
  channel: Channel,
  answer: (of: Role, question: Question) => Promise<string>,
  receive: (message: Message) => void = () => {},
): Link {
  const waiting = new Map<number, (text: string | undefined) => void>();
  let last = 0;
  channel.listen((message) => {
    if (message.kind === "answer") waiting.get(message.id)?.(message.text);
    else if (message.kind === "ask") {
      const reply = (text: string | undefined) => channel.send({ kind: "answer", id: message.id, text });
      answer(message.of, message.question).then(reply, () => reply(undefined));
    } else receive(message);
  });
  return {
    async ask(of, question, within = 1000) {
      const id = ++last;
      const text = await new Promise<string | undefined>((resolve) => {
        const timer = setTimeout(resolve, within, undefined);
        waiting.set(id, (text) => {
          clearTimeout(timer);
          resolve(text);
        });
        channel.send({ kind: "ask", id, of, question });
      });
      waiting.delete(id);
      if (text === undefined) throw unavailable(`${of} does not answer`);
      return text;
    },
  };
}
