/**
 * npm run operate: what happens to an installation in a year, each event once. `--year` draws events for an hour, and
 * `--minutes N` for N minutes; words select the events whose name contains one of them. Saves a log.
 */
import { parseArgs } from "node:util";
import { seededRandom } from "../machine/random.ts";
import { savedLog } from "../machine/saved-log.ts";
import type { Event } from "./events/event.ts";
import { events } from "./events/index.ts";
import { type Round, Rounds } from "./rounds.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    year: { type: "boolean" },
    minutes: { type: "string" },
    seed: { type: "string" },
    log: { type: "string" },
  },
});
const minutes = values.year ? 60 : Number(values.minutes ?? 0);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const log = await savedLog(values.log ?? (minutes > 0 ? "year" : "each"), seed, import.meta.dirname);
const isRoot = process.getuid?.() === 0;
const chosen = events
  .filter(({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)))
  .filter(({ needsRoot }) => isRoot || !needsRoot);
const random = seededRandom(seed);

/** Each event once, or drawn events until the time is over. */
function* drawn(): Generator<Event> {
  const end = performance.now() + minutes * 60_000;
  if (minutes === 0) yield* chosen;
  while (performance.now() < end) yield chosen[Math.floor(random() * chosen.length)]!;
}

const ms = (milliseconds: number) => `${Math.round(milliseconds)} ms`;

function describe(number: number, round: Round): string {
  const fates = [...round.fates].map(([{ name }, fate]) => `${name} ${fate}`).join(", ");
  return [
    `${number}: ${round.event} (${fates})`,
    `${round.acknowledged} writes acknowledged, ${round.lost} lost`,
    `writable after ${ms(round.writable)}`,
    `all edges right ${ms(round.right)} after the last was repaired`,
    `${round.compared} answers compared, none wrong for more than ${ms(round.longest)}`,
    `the serial moved ${round.ahead} ahead`,
  ].join("; ");
}

let count = 0;
let [acknowledged, lost, compared, longest, faulty] = [0, 0, 0, 0, 0];
{
  await using rounds = await Rounds.start(random);
  for (const event of drawn()) {
    const round = await rounds.round(event);
    log.say(describe(++count, round));
    for (const fault of round.faults) log.say(`  FAULT: ${fault}`);
    acknowledged += round.acknowledged;
    lost += round.lost;
    compared += round.compared;
    longest = Math.max(longest, round.longest);
    if (round.faults.length > 0) faulty++;
  }
}
log.say(
  `${count} rounds, ${faulty} with a fault; ${acknowledged} writes acknowledged, ${lost} lost; ` +
    `${compared} answers compared, none wrong for more than ${ms(longest)}`,
);
log.write();
process.exitCode = faulty === 0 && count > 0 ? 0 : 1;
