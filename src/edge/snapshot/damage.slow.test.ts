/** Bits that turn over on the disk, one at a time and many in a row: each is noticed, and none changes an answer. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordState, zoneState } from "../../../test/engine/states.ts";
import { silent } from "../../../test/store/store.ts";
import { regionsOf } from "../../answer/image/memory/copy.ts";
import { chunkOctets } from "../../answer/image/memory/dirty.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import { seededRandom } from "../../lib/random.ts";
import { endPlaces, headerOctets, parseHeader, placesOf } from "./format.ts";
import { type ReadSnapshot, readSnapshot } from "./read.ts";
import { Snapshots } from "./snapshots.ts";

const flips = 1000;
const zone = zoneState("example.com");
let directory: string;
let whole: string;
let damaged: string;
let good: ReadSnapshot;

const read = (path: string) => readSnapshot(path, (octets) => new SharedArrayBuffer(octets));

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "fairlead-damage-"));
  [whole, damaged] = [join(directory, "zones"), join(directory, "damaged")];
  const image = ImageWriter.create();
  image.putZone(zone, 1);
  for (let n = 0; n < 10_000; n++) {
    image.putRecord(recordState(zone, `n${n}.example.com`, "A", [`10.0.${n >> 8}.${n & 255}`]));
  }
  image.commit();
  const source = () => ({ revision: 1, store: "store", currentAt: 1, image });
  expect(await new Snapshots(directory, "all", silent).write(source)).toBe(true);
  good = read(whole);
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function expectGood({ state, regions }: ReadSnapshot): void {
  expect(state).toEqual(good.state);
  for (const [region, octets] of regions.entries()) {
    expect(Buffer.compare(Buffer.from(octets), Buffer.from(good.regions[region]!)), `region ${region}`).toBe(0);
  }
}

/** Stretches of the file that mean something, one after another; between them is room that no region uses. */
function stretches(): readonly { readonly from: number; readonly octets: number }[] {
  const file = readFileSync(whole);
  const extents = regionsOf(good.state.image);
  const places = placesOf(extents);
  const { parity } = endPlaces(parseHeader(file.subarray(0, headerOctets)));
  return [
    { from: 0, octets: headerOctets },
    ...extents.map(({ used }, region) => ({ from: places[region]!, octets: used })),
    { from: parity, octets: file.length - parity },
  ];
}

test("each of 1,000 bits that turn over is noticed, and what is read is the same", () => {
  const random = seededRandom(7);
  const all = stretches();
  const meaning = all.reduce((sum, { octets }) => sum + octets, 0);
  const file = readFileSync(whole);
  for (let n = 0; n < flips; n++) {
    let place = Math.floor(random() * meaning);
    const stretch = all.find(({ octets }) => {
      if (place < octets) return true;
      place -= octets;
      return false;
    })!;
    const at = stretch.from + place;
    const bit = 1 << Math.floor(random() * 8);
    file[at]! ^= bit;
    writeFileSync(damaged, file);
    const found = read(damaged);
    expect(found.mended, `octet ${at}`).toHaveLength(1);
    expectGood(found);
    file[at]! ^= bit;
  }
});

test("a thirty-second of the zones in a row may be lost, more is refused", () => {
  const file = readFileSync(whole);
  const { parityChunks } = parseHeader(file.subarray(0, headerOctets));
  expect(parityChunks).toBeGreaterThan(1);
  const extents = regionsOf(good.state.image);
  const region = extents.findLastIndex(({ used }) => used > (parityChunks + 1) * chunkOctets);
  const from = placesOf(extents)[region]!;
  copyFileSync(whole, damaged);
  const spoil = (chunks: number) => {
    writeFileSync(damaged, Buffer.from(file).fill(0xff, from, from + chunks * chunkOctets));
    return read(damaged);
  };
  const found = spoil(parityChunks);
  expect(found.mended).toHaveLength(parityChunks);
  expectGood(found);
  expect(() => spoil(parityChunks + 1)).toThrow("is damaged");
});
