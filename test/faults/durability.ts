/**
 * Kills the service during writes, fifty times by default, and saves a log: node test/faults/durability.ts [rounds]
 * [seed]
 */
import { savedLog } from "../machine/saved-log.ts";
import { durability, type Round } from "./rounds.ts";

const [rounds = "50", seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
const { say, write } = await savedLog("durability", Number(seed), import.meta.dirname);

const describe = ({ victim, killed, acknowledged, inDoubt, recovered, wrong }: Round, number: number) =>
  `${`${number}`.padStart(3)}  ${victim.padEnd(10)} ${`${killed}`.padStart(3)} processes killed, ` +
  `${acknowledged} writes acknowledged, ${inDoubt} in doubt, all there after ${recovered} ms` +
  wrong.map((line) => `\n     WRONG ${line}`).join("");

const report = await durability({
  rounds: Number(rounds),
  seed: Number(seed),
  onRound: (round, number) => say(describe(round, number)),
});
const wrong = report.rounds.flatMap((round) => round.wrong);
const acknowledged = report.rounds.reduce((sum, round) => sum + round.acknowledged, 0);
say(
  Object.entries(report.settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", "),
);
say(`${report.rounds.length} rounds, ${acknowledged} writes acknowledged, ${wrong.length} wrong`);
write();
const durable = Object.values(report.settings).every((value) => value === "on");
process.exitCode = wrong.length === 0 && durable && report.rounds.length > 0 ? 0 : 1;
