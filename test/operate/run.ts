/** npm run operate -- [ROUNDS] [SEED]: puts the store back in each way in turn, and saves a log. */
import { seededRandom } from "../machine/random.ts";
import { savedLog } from "../machine/saved-log.ts";
import { fates } from "./installation.ts";
import { Rounds, ways } from "./put-back.ts";

const [count = "21", seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
const log = await savedLog("put-back", Number(seed), import.meta.dirname);
/** Milliseconds within which writes go on. */
const mostPause = 5000;
let faults = 0;
{
  await using rounds = await Rounds.start(seededRandom(Number(seed)));
  for (let n = 0; n < Number(count); n++) {
    const { way, lost, wrong, writable, after, ahead } = await rounds.round(ways[n % ways.length]!);
    const wrongs = fates.map((fate) => `${fate} ${wrong.get(fate)!.length}`).join(", ");
    log.say(
      `${n + 1}: ${way}, ${lost} writes lost; writable after ${Math.round(writable)} ms; all edges right after ${Math.round(after)} ms; ` +
        `names wrong: ${wrongs}; the serial moved ${ahead} ahead`,
    );
    if (fates.some((fate) => wrong.get(fate)!.length > 0) || ahead <= 0 || writable > mostPause) faults++;
  }
}
log.say(`${count} rounds, ${faults} with a fault`);
log.write();
process.exitCode = faults === 0 ? 0 : 1;
