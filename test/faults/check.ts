/** Checks after a crash that API and DNS have complete objects, agree, and have everything that was acknowledged. */
import { setTimeout as delay } from "node:timers/promises";
import { exchangeUdp } from "../dns/exchange.ts";
import { parseReply, question } from "../dns/message.ts";
import { labels } from "../dns/names.ts";
import type { Service } from "../service/kit.ts";
import type { Journal, State, Thing } from "./journal.ts";
import { answersOf, pairOf, sharedZones } from "./writer.ts";

const type = { SOA: 6, TXT: 16 };
const followWithin = 30_000;

interface ListedSource {
  readonly feeds: readonly { name: string; data: { weight?: number } }[];
}

interface ListedZone {
  readonly refresh: number;
  readonly records: readonly { domain: string; type: string; answers: readonly { answer: readonly string[] }[] }[];
}

/** Settles every journal with the API's state, and waits until DNS agrees. Returns all faults. */
export async function check(service: Service, journals: readonly Journal[]): Promise<string[]> {
  const wrong: string[] = [];
  const shown = await readApi(service, wrong);
  const entries = journals.flatMap((journal) => journal.entries.map((entry) => ({ journal, entry })));
  for (const { journal, entry } of entries) {
    const states = await Promise.all(ownersOf(entry.thing).map((owner) => shown(entry.thing, owner)));
    if (new Set(states).size > 1) wrong.push(`${entry.thing.name}: half of a step is there (${states.join(", ")})`);
    const fault = journal.settle(entry, states[0]);
    if (fault) wrong.push(fault);
  }
  const things = entries
    .map(({ entry }) => ({ thing: entry.thing, state: entry.acknowledged }))
    .filter(({ thing }) => thing.kind !== "feed");
  return [...wrong, ...(await checkDns(service, things))];
}

const ownersOf = ({ kind, name }: Thing) => (kind === "pair" ? pairOf(name) : [name]);

/** Returns a function that finds the version of a record, a zone or a feed. Adds incomplete records to `wrong`. */
async function readApi(service: Service, wrong: string[]) {
  const records = new Map<string, State>();
  for (const zone of sharedZones) {
    const { body } = await service.api<ListedZone>("GET", `zones/${zone}?expand=true`);
    for (const record of body.records.filter((one) => one.type === "TXT")) {
      const texts = record.answers.map(({ answer }) => answer.join(""));
      const version = Number.parseInt(texts[0] ?? "", 10);
      const whole = answersOf(version).map(({ answer }) => answer.join(""));
      if (texts.join() !== whole.join()) wrong.push(`${record.domain}: a half record (${texts.join(", ")})`);
      records.set(record.domain, version);
    }
  }
  const { body: sources } = await service.api<readonly ListedSource[]>("GET", "data/sources");
  const feeds = new Map(sources.flatMap((source) => source.feeds).map(({ name, data }) => [name, data.weight]));
  return async ({ kind, name }: Thing, owner: string): Promise<State> => {
    if (kind === "feed") return feeds.get(name);
    if (kind !== "zone") return records.get(owner);
    const { status, body } = await service.api<ListedZone>("GET", `zones/${name}?records=false`);
    return status === 200 ? body.refresh : undefined;
  };
}

/** Repeats the comparison for a while, because an edge follows the store with a delay. */
async function checkDns(service: Service, things: readonly { thing: Thing; state: State }[]): Promise<string[]> {
  const asked = things.flatMap(({ thing, state }) => ownersOf(thing).map((owner) => ({ thing, owner, state })));
  const deadline = performance.now() + followWithin;
  for (;;) {
    const queries = asked.map(({ thing, owner }) =>
      question(labels(owner), thing.kind === "zone" ? type.SOA : type.TXT),
    );
    // an edge that starts again may leave the first queries without a reply
    const replies = await exchangeUdp(service.port, queries).catch(() => undefined);
    const wrong = asked.flatMap(({ thing, owner, state }, index) => {
      if (!replies) return [`${owner}: DNS does not answer`];
      const { rcode, answer } = parseReply(replies[index]!);
      const found = thing.kind === "zone" ? soaState(rcode, answer) : textState(answer);
      return found === expected(thing, state) ? [] : [`${owner}: DNS says ${found}, the API ${expected(thing, state)}`];
    });
    if (wrong.length === 0 || performance.now() > deadline) return wrong;
    await delay(50);
  }
}

const expected = ({ kind }: Thing, state: State): string => {
  if (kind === "zone") return state === undefined ? "refused" : `refresh ${state}`;
  return state === undefined
    ? "nothing"
    : answersOf(state)
        .map(({ answer }) => answer.join(""))
        .join();
};

/** TXT RDATA in hexadecimal: one length octet, then the text. */
const textState = (answer: readonly string[]): string =>
  answer.length === 0
    ? "nothing"
    : answer.map((record) => Buffer.from(record.split(" ")[3]!, "hex").toString("latin1", 1)).join();

/** SOA RDATA: two names, then serial and refresh. */
const soaState = (rcode: number, answer: readonly string[]): string => {
  if (rcode === 5) return "refused";
  const timers = answer[0]?.split(" ")[5];
  return timers === undefined ? `rcode ${rcode}` : `refresh ${Number.parseInt(timers.slice(8, 16), 16)}`;
};
