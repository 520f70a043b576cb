/** A program on a client's machine: asks ADDRESS at RATE queries a second until a line comes, then prints the outcome. */
import { once } from "node:events";
import { startLoad } from "../../faults/load.ts";
import { seededRandom } from "../../machine/random.ts";

const [, , address = "", rate = ""] = process.argv;
const load = await startLoad({ address, port: 53, rate: Number(rate), streams: 0, random: seededRandom(1) });
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdout.write(`${JSON.stringify((await load.end()).udp)}\n`);
process.exit();
