/** Writes one snapshot after another until it is killed; prints the revision of each that was written. */
import { ImageWriter } from "../../src/answer/image/writer/writer.ts";
import { Snapshots } from "../../src/edge/snapshot/snapshots.ts";
import { newLog } from "../../src/lib/log.ts";
import { recordState, zoneState } from "../engine/states.ts";

const [directory = "", first = "1"] = process.argv.slice(2);
const zone = zoneState("example.com");
const image = ImageWriter.create();
image.putZone(zone, 1);
for (let n = 0; n < 50_000; n++) {
  image.putRecord(recordState(zone, `n${n}.example.com`, "A", [`10.0.${n >> 8}.${n & 255}`]));
}
image.commit();
const snapshots = new Snapshots(directory, "all", newLog("fatal", "test"));
for (let revision = Number(first); ; revision++) {
  image.setSerial(zone.id, revision);
  image.commit();
  await snapshots.write(() => ({ revision, store: "store", currentAt: 1, image }));
  process.stdout.write(`${revision}\n`);
}
