/** Finds a block by its key in an open-addressing table: for zones and nodes, in readers and the writer. */
import {
  blockKey,
  blockLabels,
  blockShape,
  emptySlot,
  labelsShift,
  slotAddress,
  slotWords,
  vacatedSlot,
} from "./layout.ts";
import { type ImageMemory, octetAt, wordAt } from "./memory.ts";

/** Address of the newest version of the block with this key and these labels, or 0. */
export function probe(
  memory: ImageMemory,
  slots: Int32Array,
  hash: number,
  key: number,
  octets: Uint8Array,
  from: number,
  length: number,
): number {
  const mask = slots.length - 1;
  for (let slot = (hash << 1) & mask; ; slot = (slot + slotWords) & mask) {
    // read once: the writer may vacate the slot at any time
    const address = slots[slot + slotAddress]!;
    if (address === emptySlot) return 0;
    if (slots[slot] === hash && address !== vacatedSlot && holds(memory, address, key, octets, from, length))
      return address;
  }
}

function holds(
  memory: ImageMemory,
  address: number,
  key: number,
  octets: Uint8Array,
  from: number,
  length: number,
): boolean {
  const words = memory.wordsOf(address);
  const block = wordAt(address);
  if (words[block + blockKey] !== key || words[block + blockShape]! >>> labelsShift !== length) return false;
  const labels = memory.octetsOf(address);
  const at = octetAt(address) + blockLabels * 4;
  for (let i = 0; i < length; i++) if (labels[at + i] !== octets[from + i]) return false;
  return true;
}
