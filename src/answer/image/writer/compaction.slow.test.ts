/** The memory of removed records is released in steps, and other records stay unchanged. */
import { expect, test } from "vitest";
import { recordsOf, TestImage, zoneOf } from "../../../../test/scenarios/image.ts";
import { ImageReader } from "../reader.ts";
import { ImageWriter } from "./writer.ts";

const apex = "example.com";
const lineOf = (i: number) => `h${i} 60 A 192.0.2.${i % 256}`;

function put(writer: ImageWriter, from: number, to: number) {
  const lines = Array.from({ length: to - from }, (_, i) => lineOf(from + i));
  for (const record of recordsOf(apex, lines)) writer.putRecord(record);
  writer.commit();
}

function remove(writer: ImageWriter, from: number, to: number) {
  for (let i = from; i < to; i++) writer.removeRecord(apex, `h${i}.${apex}`, "A");
  writer.commit();
}

test("the memory of added and removed records is released", () => {
  const image = new TestImage().put(apex, []);
  const { writer } = image;
  put(writer, 0, 2000);
  while (writer.tidy(1000));
  const before = writer.stats();
  put(writer, 2000, 8000);
  remove(writer, 2000, 8000);
  while (writer.tidy(1000));
  const after = writer.stats();
  expect(after).toMatchObject({ records: 2000, waiting: 0 });
  expect(after.octets).toBeLessThan(before.octets * 1.3);
  expect(after.emptied).toBeGreaterThan(2);
  for (const i of [0, 1999])
    expect(image.ask(`h${i}.${apex}. A`).answer).toEqual([`h${i}.${apex}. 60 A 192.0.2.${i % 256}`]);
  expect(image.ask(`h2000.${apex}. A`).rcode).toBe("NXDOMAIN");
});

test("the image needs little more memory while segments are emptied", () => {
  const image = new TestImage().put(apex, []);
  const { writer } = image;
  put(writer, 0, 9000);
  for (let i = 0; i < 9000; i++) if (i % 3 > 0) writer.removeRecord(apex, `h${i}.${apex}`, "A");
  writer.commit();
  while (writer.stats().waiting > 0) writer.tidy(100);
  const { octets } = writer.stats();
  let most = 0;
  let steps = 0;
  for (; writer.tidy(100); steps++) most = Math.max(most, writer.stats().octets);
  expect(most).toBeLessThan(octets * 1.3);
  expect(steps).toBeGreaterThan(50);
  expect(writer.stats().octets).toBeLessThan(octets * 0.6);
  for (let i = 0; i < 9000; i += 300) expect(image.ask(`h${i}.${apex}. A`).answer).toHaveLength(1);
});

test("a large zone is removed in steps", () => {
  const writer = ImageWriter.create();
  writer.putZone(zoneOf(apex), 1);
  put(writer, 0, 8000);
  writer.putZone(zoneOf("example.org"), 1);
  writer.commit();
  writer.removeZone(apex);
  writer.commit();
  const { octets } = writer.stats();
  let steps = 1;
  while (writer.tidy(500)) steps++;
  expect(steps).toBeGreaterThan(20);
  expect(writer.stats().octets).toBeLessThan(octets / 2);
  expect(writer.stats()).toMatchObject({ zones: 1, records: 0 });
});

test("memory is released only after its last reader has left", () => {
  const writer = ImageWriter.create();
  writer.putZone(zoneOf(apex), 1);
  put(writer, 0, 5000);
  const reader = new ImageReader(writer.share(), 7, () => reader.update(writer.share()));
  reader.enter();
  remove(writer, 0, 5000);
  const { octets } = writer.stats();
  while (writer.tidy(1000));
  expect(writer.stats().octets).toBe(octets);
  reader.leave();
  while (writer.tidy(1000));
  expect(writer.stats().octets).toBeLessThan(octets / 2);
});
