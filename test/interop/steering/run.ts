/** A short comparison as a program: ends with 3 when packets and the model disagree, as with a mutant. */
import { seededRandom } from "../../machine/random.ts";
import { drawFrom } from "../differential/draw.ts";
import { compare } from "./compare.ts";
import { inProcess } from "./in-process.ts";
import { generateWorld } from "./world.ts";

const [seed = "1", pairs = "4000"] = process.argv.slice(2);
const draw = drawFrom(seededRandom(Number(seed)));
const world = generateWorld(draw, 600);
const { findings, ...covered } = await compare(world, await inProcess(world), draw, Number(pairs));
process.stdout.write(`${JSON.stringify(covered)}\n${findings.length} findings\n${findings.slice(0, 3).join("\n")}\n`);
process.exitCode = findings.length > 0 ? 3 : 0;
