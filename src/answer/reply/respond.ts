/** Answers one question from an image, one section of the reply after another. */
import { headerOctets, type Query } from "../../dns/wire/message.ts";
import type { Sender } from "../chain/steering.ts";
import type { NameKey } from "../image/memory/key.ts";
import { addAdditional } from "./additional.ts";
import { addAnswer } from "./answer.ts";
import { addAuthority } from "./authority.ts";
import type { Trace } from "./trace.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Fills the workspace's message, whose `begin` was called for this query. Pure: the result depends only on the image, the
 * values of feeds, the query, its sender and the workspace's random numbers. A trace changes no octet.
 */
export function respond(space: Workspace, query: Query, sender: Sender, trace?: Trace): void {
  const { message, steering } = space;
  steering.begin(query, sender);
  const question = load(space, query);
  message.ask(question);
  const state = addAnswer(space, query.qtype, question, trace);
  addAuthority(space, state);
  addAdditional(space, state);
  message.opt.scope = steering.scope;
}

function load({ question, prefetch }: Workspace, { packet, start }: Query): NameKey {
  const at = start + headerOctets;
  const prefetched = prefetch?.take(packet, at);
  if (prefetched) return prefetched;
  question.load(packet, at);
  return question;
}
