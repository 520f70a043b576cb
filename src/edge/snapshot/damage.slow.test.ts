/** Bits that flip on the disk: each is noticed, anywhere in the file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recordState, zoneState } from "../../../test/engine/states.ts";
import { seededRandom } from "../../../test/machine/random.ts";
import { silent } from "../../../test/store/store.ts";
import { regionsOf } from "../../answer/image/memory/copy.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import { headerOctets, offsetsOf, parseHeader } from "./format.ts";
import { readSnapshot } from "./read.ts";
import { Snapshots } from "./snapshots.ts";

const flips = 1000;

test("a snapshot with a flipped bit is refused, whichever of 1,000 random bits it is", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-damage-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "zones");
  await writeSnapshot(directory);
  const read = () => readSnapshot(path, (octets) => new SharedArrayBuffer(octets));
  const file = readFileSync(path);
  const { body } = parseHeader(file.subarray(0, headerOctets));
  const extents = regionsOf(read().state.image);
  const places = offsetsOf(extents);
  // no region uses the space between these stretches
  const stretches = [
    { from: 0, octets: headerOctets },
    ...extents.map(({ used }, region) => ({ from: places[region]!, octets: used })),
    { from: headerOctets + body, octets: file.length - headerOctets - body },
  ];
  const random = seededRandom(7);
  for (let n = 0; n < flips; n++) {
    // every section is equally likely, however short it is
    const { from, octets } = stretches[n % stretches.length]!;
    const at = from + Math.floor(random() * octets);
    const bit = 1 << Math.floor(random() * 8);
    file[at]! ^= bit;
    writeFileSync(path, file);
    expect(read, `octet ${at}`).toThrow(/is damaged|it has|it is not/);
    file[at]! ^= bit;
  }
  writeFileSync(path, file);
  expect(read().state.revision).toBe(1);
});

async function writeSnapshot(directory: string): Promise<void> {
  const zone = zoneState("example.com");
  const image = ImageWriter.create();
  image.putZone(zone, 1);
  for (let n = 0; n < 10_000; n++) {
    image.putRecord(recordState(zone, `n${n}.example.com`, "A", [`10.0.${n >> 8}.${n & 255}`]));
  }
  image.commit();
  const source = () => ({ revision: 1, store: "store", currentAt: 1, image });
  expect(await new Snapshots(directory, "all", silent).write(source)).toBe(true);
}
