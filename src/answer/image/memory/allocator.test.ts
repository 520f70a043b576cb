/** The allocator: blocks never overlap, and freed blocks are reused. */
import { expect, test } from "vitest";
import { seededRandom } from "../../../../test/machine/random.ts";
import { Allocator } from "./allocator.ts";
import { segmentOctets, unitBits, unitMask } from "./layout.ts";
import { ImageMemory } from "./memory.ts";
import { Segments } from "./segments.ts";

function allocator() {
  const segments: number[] = [];
  const memory = new ImageMemory(() => undefined);
  const all = new Segments(memory, (segment, buffer) => (segments[segment] = buffer.byteLength), {});
  return { segments, all, blocks: new Allocator(memory, all) };
}

test("blocks do not overlap, and are inside their segment and never at address 0 or 1", () => {
  const { blocks, segments } = allocator();
  const random = seededRandom(3);
  const live: { address: number; units: number }[] = [];
  for (let i = 0; i < 20_000; i++) {
    const units = 4 + Math.floor(random() ** 4 * 3000);
    live.push({ address: blocks.allocate(units), units });
    if (random() < 0.5) {
      const [gone] = live.splice(Math.floor(random() * live.length), 1);
      blocks.free(gone!.address, gone!.units);
    }
  }
  live.sort((a, b) => a.address - b.address);
  let end = 2;
  for (const { address, units } of live) {
    expect(address).toBeGreaterThanOrEqual(end);
    end = address + units;
    expect(((address & unitMask) + units) * 8).toBeLessThanOrEqual(segments[address >>> unitBits]!);
  }
});

test("freed blocks are reused", () => {
  const { blocks, all } = allocator();
  const sizes = [4, 9, 40, 41, 500, 7000];
  for (let round = 0; round < 1000; round++) {
    const taken = sizes.map((units) => ({ units, address: blocks.allocate(units) }));
    for (const { units, address } of taken) blocks.free(address, units);
  }
  expect(all.octets).toBeLessThan(400_000);
});

test("the first segment is small, and a block larger than a segment is refused", () => {
  const { blocks, all } = allocator();
  blocks.allocate(4);
  expect(all.octets).toBe(64 * 1024);
  expect(() => blocks.allocate(segmentOctets / 8 + 1)).toThrow(RangeError);
});
