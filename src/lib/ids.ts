/** Identifiers as clients of the API know them, made in code so that every store can take them. */
import { randomBytes } from "node:crypto";

/** Begins in the lower half: those of a second are in order until it is through, after eight million. */
let counter = randomBytes(3).readUIntBE(0, 3) >> 1;
const machine = randomBytes(5).toString("hex");
/** Of the second in which the last one was made. */
let second = -1;
let beginning = "";

/** 24 hex digits: time, process, counter. Ordered by second of creation, so that indexes stay compact. */
export function newId(now = Date.now()): string {
  counter = (counter + 1) & 0xffffff;
  const time = Math.floor(now / 1000);
  if (time !== second) {
    second = time;
    beginning = time.toString(16).padStart(8, "0") + machine;
  }
  return beginning + counter.toString(16).padStart(6, "0");
}

/** 32 hex digits at random, for data sources. */
export const newSourceId = () => randomBytes(16).toString("hex");

/** The string of a new API key: 160 random bits. */
export const newKeyString = () => randomBytes(20).toString("base64url").replaceAll("-", "A").replaceAll("_", "B");
