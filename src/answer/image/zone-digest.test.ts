/** The digest of a zone depends on what the image holds, and not on how it came there. */
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../test/machine/random.ts";
import { recordsOf, steeredRecord, zoneOf } from "../../../test/scenarios/image.ts";
import { plainRrset } from "./rrset/rrset.ts";
import type { ImageRecord, ImageZone } from "./rrset/source.ts";
import { ImageWriter } from "./writer/writer.ts";
import { ZoneDigest } from "./zone-digest.ts";

const apex = "example.com";

function imageOf(zone: ImageZone, records: readonly ImageRecord[], serial = 1): ImageWriter {
  const image = ImageWriter.create();
  image.putZone(zone, serial);
  for (const record of records) image.putRecord(record);
  image.commit();
  return image;
}

function digestOf(zone: ImageZone, records: readonly ImageRecord[], serial = 1): number {
  const digest = new ZoneDigest(zone, serial);
  for (const record of records) digest.add(record);
  return digest.value;
}

const steered = (n: number) =>
  steeredRecord(apex, {
    type: "A",
    answers: [
      { answer: ["192.0.2.1"], meta: { weight: n } },
      { answer: ["192.0.2.2"], meta: { up: { feed: "f1" } } },
    ],
    filters: [
      { filter: "up", config: {} },
      { filter: "weighted_shuffle", config: {} },
    ],
  });

const records = [
  ...recordsOf(apex, ["a 60 A 192.0.2.1", "a 60 A 192.0.2.2", 'b.c 60 TXT "text"', "* 60 CNAME a", "d 60 NS ns.d"]),
  ...recordsOf(apex, ["l 60 A ~ link other.example.com", "x 60 ALIAS a ~ override_ttl"]),
  steered(1),
];

describe("a digest", () => {
  test("is the same for records in any order, and after any changes that lead to them", () => {
    const random = seededRandom(7);
    const zone = zoneOf(apex);
    const expected = digestOf(zone, records);
    for (let run = 0; run < 50; run++) {
      const image = imageOf(zone, [], 9);
      const rest = records.toSorted(() => random() - 0.5);
      for (const record of rest) {
        if (random() < 0.5) image.putRecord({ ...record, ttl: 5 });
        if (random() < 0.3) image.commit();
        if (random() < 0.3) image.removeRecord(apex, record.domain, record.type);
        image.putRecord(record);
      }
      image.putRecord(recordsOf(apex, ["gone 60 A 192.0.2.9"])[0]!);
      image.commit();
      image.removeRecord(apex, `gone.${apex}`, "A");
      image.setSerial(apex, 1);
      image.commit();
      expect(image.digestOf(apex)).toBe(expected);
    }
  });

  test("tells every difference of a zone", () => {
    const zone = zoneOf(apex);
    const changed = records.map((record, i) => records.with(i, { ...record, ttl: 61 }));
    const all: (readonly [ImageZone, readonly ImageRecord[], number?])[] = [
      [zone, records],
      [zone, records, 2],
      [zone, []],
      ...changed.map((others) => [zone, others] as const),
      ...records.map((_, i) => [zone, records.toSpliced(i, 1)] as const),
      [zone, records.with(-1, steered(2))],
      [{ ...zone, nx_ttl: 61 }, records],
      ...[{ disabled: true }, { expired: true }, { hidden: true }].map(
        (state) => [{ ...zone, ...state }, records] as const,
      ),
      ...["b.example", "c.example"].map((link) => [{ ...zone, link }, []] as const),
    ];
    const digests = all.map((each) => digestOf(...each));
    expect(new Set(digests).size).toBe(all.length);
    expect(all.map((each) => imageOf(...each).digestOf(apex))).toEqual(digests);
  });

  test("of a linked zone is the same with and without its target", () => {
    const zone = zoneOf(apex, { link: "target.example" });
    const image = imageOf(zone, []);
    const without = image.digestOf(apex);
    image.putZone(zoneOf("target.example", { disabled: true }), 1);
    image.commit();
    expect([image.digestOf(apex), without]).toEqual([digestOf(zone, []), digestOf(zone, [])]);
    // linked no more
    image.putZone(zoneOf(apex, { disabled: true }), 1);
    expect(image.digestOf(apex)).toBe(digestOf(zoneOf(apex, { disabled: true }), []));
  });

  test("leaves out what an image leaves out", () => {
    const zone = zoneOf(apex);
    const [record] = records;
    const refused = [
      { ...record!, type: "MX" },
      { ...record!, type: "NONE" },
      { ...record!, domain: "a.example.org" },
    ];
    const digest = new ZoneDigest(zone, 1);
    for (const each of records) digest.add(each);
    for (const each of refused) expect(() => digest.add(each)).toThrow();
    expect(digest.value).toBe(digestOf(zone, records));
    const image = imageOf(zone, records);
    for (const each of refused) expect(() => image.putRecord(each)).toThrow();
    expect(image.digestOf(apex)).toBe(digestOf(zone, records));
    expect(() => new ZoneDigest({ ...zone, hostmaster: "a..b" }, 1)).toThrow("a..b");
  });

  test("of contents and of records is the same", () => {
    const zone = zoneOf(apex);
    const image = imageOf(zone, recordsOf(apex, ["old 60 A 192.0.2.1"]));
    const contents = image.beginContents(apex, apex);
    const owner = Buffer.from("\x01a\x07example\x03com\0", "latin1");
    const rdata = [1, 2].map((last) => Uint8Array.of(192, 0, 2, last));
    image.addToContents(contents, owner, plainRrset(1, 60, rdata)!);
    image.commit();
    image.putContents(apex, contents);
    image.commit();
    expect(image.digestOf(apex)).toBe(digestOf(zone, records.slice(0, 1)));
    expect(image.digestOf("none")).toBeUndefined();
  });

  test("is kept in copies of an image, whose zones' numbers are given again", () => {
    const image = imageOf(zoneOf(apex), records);
    for (let n = 0; n < 2000; n++) image.putZone(zoneOf(`z${n}.example`), 1);
    image.commit();
    const copy = image.copy();
    const { state } = copy.finish()!;
    copy.end();
    const restored = ImageWriter.restore({
      state: JSON.parse(JSON.stringify(state)),
      regions: copy.regions() as SharedArrayBuffer[],
    });
    expect(restored.digestOf(apex)).toBe(digestOf(zoneOf(apex), records));
    expect(restored.digestOf("z1999.example")).toBe(digestOf(zoneOf("z1999.example"), []));
    restored.removeRecord(apex, `a.${apex}`, "A");
    expect(restored.digestOf(apex)).toBe(digestOf(zoneOf(apex), records.slice(1)));
  });
});
