/** Identifiers in the API's format, made in code, so that they do not depend on the store. */
import { randomBytes, randomFillSync } from "node:crypto";

/** The quarter of a millisecond of the last id. */
let moment = -1;
/** The random part of the last id. */
let tail = 0;
/** The octets of the last id. */
const id = Buffer.alloc(12);
const word = 2 ** 32;

/**
 * Returns 24 hex digits: the second, the part of that second, and 13 random digits. The ids of a process are in the order
 * of their creation, so that indexes stay compact. Nobody can guess another's id, or learn from ids how many were made.
 */
export function newId(now = Date.now()): string {
  const second = Math.floor(now / 1000);
  const part = Math.floor((now - 1000 * second) * 4.096);
  if (second * 4096 + part === moment) {
    // at most 2^24 more, so that the digits suffice for 134 million ids
    tail += 1 + random(3);
  } else {
    moment = second * 4096 + part;
    tail = random(6) * 8;
  }
  id.writeUInt32BE(second, 0);
  id.writeUInt32BE(part * 2 ** 20 + Math.floor(tail / word), 4);
  id.writeUInt32BE(tail % word, 8);
  return id.toString("hex");
}

/** Random octets in stock, because drawing a few at a time is slow. */
const stock = Buffer.alloc(4096);
let used = stock.length;

/** Returns a random number of at most 6 octets. */
function random(octets: number): number {
  if (used + octets > stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += octets;
  return stock.readUIntBE(used - octets, octets);
}

/** Returns 32 random hex digits, for data sources. */
export const newSourceId = () => randomBytes(16).toString("hex");

/** Returns the string of a new API key: 160 random bits. */
export const newKeyString = () => randomBytes(20).toString("base64url").replaceAll("-", "A").replaceAll("_", "B");
