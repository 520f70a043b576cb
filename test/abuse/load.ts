/** The thread of a load: runs an attack, or its harmless counterpart, until it is told to stop. */
import { parentPort, workerData } from "node:worker_threads";
import type { Target } from "./attack.ts";
import { attacks } from "./attacks/index.ts";

export interface LoadOrder {
  readonly name: string;
  readonly kind: "attack" | "harmless";
  readonly target: Target;
}

const { name, kind, target }: LoadOrder = workerData;
const ending = new AbortController();
parentPort!.on("message", () => ending.abort());
await attacks.find((attack) => attack.name === name)![kind](target, ending.signal);
process.exit(0);
