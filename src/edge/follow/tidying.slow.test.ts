import { expect, test } from "vitest";
import { recordState, zoneState } from "../../../test/engine/states.ts";
import { silent } from "../../../test/store/store.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import { tidyAfterChanges } from "./tidying.ts";

test("the memory of a removed zone is given back, and changes are applied meanwhile", async () => {
  const [large, other] = [zoneState("example.com"), zoneState("example.org")];
  const image = ImageWriter.create();
  for (const zone of [large, other]) image.putZone(zone, 1);
  for (let n = 0; n < 10_000; n++) image.putRecord(recordState(large, `n${n}.example.com`, "A", ["192.0.2.1"]));
  image.commit();
  image.removeZone(large.id);
  image.commit();
  const { octets } = image.stats();
  let serial = 1;
  const changing = setInterval(() => {
    image.setSerial(other.id, ++serial);
    image.commit();
  }, 1);
  const tidying = tidyAfterChanges(() => image, silent);
  await expect.poll(() => image.stats().octets).toBeLessThan(octets / 3);
  await tidying.close();
  clearInterval(changing);
  expect(serial).toBeGreaterThan(10);
  expect(image.stats()).toMatchObject({ zones: 1, records: 0 });
});
