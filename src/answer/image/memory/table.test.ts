/** The table of addresses: inserted addresses are found before and after it grows, among vacated slots. */
import { expect, test } from "vitest";
import { seededRandom } from "../../../../test/machine/random.ts";
import { emptySlot, slotAddress, slotWords, vacatedSlot } from "./layout.ts";
import { Table } from "./table.ts";

/** The slot of an address, as a probe finds it: from the hash on, before the first empty slot. */
function slotOf(table: Table, hash: number, address: number): number {
  const mask = table.slots.length - 1;
  for (let slot = (hash << 1) & mask; ; slot = (slot + slotWords) & mask) {
    if (table.slots[slot + slotAddress] === emptySlot) return -1;
    if (table.slots[slot + slotAddress] === address && table.slots[slot] === hash) return slot;
  }
}

test("a table keeps its addresses while it grows and other addresses are removed", () => {
  const random = seededRandom(7);
  let grown = 0;
  const table = new Table(() => grown++);
  const live = new Map<number, number>();
  for (let address = 2; address < 20_000; address++) {
    const hash = Math.floor(random() * 2 ** 32) | 0;
    table.insert(hash, address);
    live.set(address, hash);
    if (random() < 0.4) {
      const [gone, itsHash] = live.entries().next().value!;
      expect(table.vacate(itsHash, gone)).toBe(true);
      expect(table.vacate(itsHash, gone)).toBe(false);
      live.delete(gone);
    }
  }
  expect(grown).toBeGreaterThan(5);
  for (const [address, hash] of live) expect(slotOf(table, hash, address)).toBeGreaterThanOrEqual(0);
  const addresses = table.slots.filter((_, i) => i % 2 === slotAddress);
  expect(addresses.filter((address) => address !== emptySlot && address !== vacatedSlot)).toHaveLength(live.size);
});

test("a table does not grow while as many addresses are removed as inserted", () => {
  const table = new Table(() => undefined);
  for (let i = 0; i < 100_000; i++) {
    table.insert((i * 2_654_435_761) | 0, 5);
    table.vacate((i * 2_654_435_761) | 0, 5);
  }
  expect(table.slots.length).toBeLessThanOrEqual(128);
});

test("a table moves in steps to a larger or smaller table while it changes", () => {
  const random = seededRandom(9);
  const left: number[] = [];
  const table = new Table(({ byteLength }) => left.push(byteLength));
  const live = new Map<number, number>();
  const change = (share: number, next: number) => {
    if (random() < share) {
      const hash = Math.floor(random() * 2 ** 32) | 0;
      table.insert(hash, next);
      live.set(next, hash);
    } else if (live.size > 0) {
      const [address, hash] = live.entries().next().value!;
      live.delete(address);
      if (random() < 0.9) table.vacate(hash, address);
      else {
        table.replace(hash, address, next);
        live.set(next, hash);
      }
    }
    table.tidy(8);
    if (next % 3000 > 0) return;
    const lost = [...live].filter(([address, hash]) => slotOf(table, hash, address) < 0);
    expect(lost).toEqual([]);
    expect(table.taken).toBe(live.size);
  };
  for (let next = 2; next < 30_000; next++) change(next < 15_000 ? 0.9 : 0.05, next);
  expect(Math.max(...left)).toBeGreaterThan(table.slots.byteLength);
});
