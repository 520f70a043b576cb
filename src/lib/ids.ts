/** Identifiers in the API's format, made in code, so that they do not depend on the store. */
import { randomBytes } from "node:crypto";

/** Starts in the lower half, so that the ids of one second are in order for at least eight million ids. */
let counter = randomBytes(3).readUIntBE(0, 3) >> 1;
const machine = randomBytes(5).toString("hex");
/** The second of the last id. */
let second = -1;
let beginning = "";

/** Returns 24 hex digits: time, process, counter. Ordered by second of creation, so that indexes stay compact. */
export function newId(now = Date.now()): string {
  counter = (counter + 1) & 0xffffff;
  const time = Math.floor(now / 1000);
  if (time !== second) {
    second = time;
    beginning = time.toString(16).padStart(8, "0") + machine;
  }
  return beginning + counter.toString(16).padStart(6, "0");
}

/** Returns 32 random hex digits, for data sources. */
export const newSourceId = () => randomBytes(16).toString("hex");

/** Returns the string of a new API key: 160 random bits. */
export const newKeyString = () => randomBytes(20).toString("base64url").replaceAll("-", "A").replaceAll("_", "B");
