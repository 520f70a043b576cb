/** A short comparison as a program: ends with 3 when Fairlead and NSD differ, as they should with a mutant. */
import { compareWithNsd } from "./compare.ts";
import { inProcess } from "./ours.ts";

const [seed = "1", queries = "8000"] = process.argv.slice(2);
const { unknown } = await compareWithNsd({ seed: Number(seed), queries: Number(queries), size: 40 }, inProcess);
process.stdout.write(`${unknown.length} unexplained differences\n${unknown.slice(0, 3).join("\n")}\n`);
process.exitCode = unknown.length > 0 ? 3 : 0;
