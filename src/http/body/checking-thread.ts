/** The thread that checks large bodies, one at a time, at a low priority. */
import { parentPort } from "node:worker_threads";
import { type PlainProblem, Problem, plainProblem } from "../../lib/problem.ts";
import { lowerThread } from "../../lib/system/priority.ts";
import type { JsonLimits } from "./bounds.ts";
import { parseJson } from "./json.ts";

export interface ToCheck {
  readonly octets: Uint8Array<ArrayBuffer>;
  readonly limits: JsonLimits;
}

/** The octets come back, and the refusal, if any. */
export interface Checked {
  readonly octets: Uint8Array<ArrayBuffer>;
  readonly refusal: PlainProblem | undefined;
}

lowerThread();
const port = parentPort!;
port.on("message", ({ octets, limits }: ToCheck) => {
  const checked: Checked = { octets, refusal: refusalOf(octets, limits) };
  port.postMessage(checked, [octets.buffer]);
});

function refusalOf(octets: Uint8Array, limits: JsonLimits): Checked["refusal"] {
  try {
    parseJson(octets, limits);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return plainProblem(error);
  }
}
