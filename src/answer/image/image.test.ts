/** Writer and reader of an image: whole change sets, pinned revisions, added and removed names, released memory. */
import { describe, expect, test } from "vitest";
import { recordsOf, TestImage, zoneOf } from "../../../test/scenarios/image.ts";
import { ImageReader } from "./reader.ts";
import { ImageWriter } from "./writer/writer.ts";

const apex = "example.com";

describe("visibility", () => {
  test("staged changes are visible together, after the commit", () => {
    const image = new TestImage().put(apex, ["a 60 A 192.0.2.1"]);
    for (const record of recordsOf(apex, ["a 60 A 192.0.2.2", "b 60 A 192.0.2.3"])) image.writer.putRecord(record);
    image.writer.setSerial(apex, 2);
    expect(image.ask("a.example.com. A").answer).toEqual(["a.example.com. 60 A 192.0.2.1"]);
    expect(image.ask("b.example.com. A").rcode).toBe("NXDOMAIN");
    image.writer.commit();
    expect(image.ask("a.example.com. A").answer).toEqual(["a.example.com. 60 A 192.0.2.2"]);
    expect(image.ask("b.example.com. A").answer).toEqual(["b.example.com. 60 A 192.0.2.3"]);
    expect(image.ask("example.com. SOA").answer[0]).toContain(" 2 43200 ");
  });

  test("a pinned reader sees no later commit", () => {
    const writer = ImageWriter.create();
    writer.putZone(zoneOf(apex), 1);
    const put = (line: string) => recordsOf(apex, [line]).forEach((record) => void writer.putRecord(record));
    put("a 60 A 192.0.2.1");
    writer.commit();
    const reader = new ImageReader(writer.share(), 5, () => reader.update(writer.share()));
    const key = reader.key();
    const isThere = (name: string) => {
      key.load(Uint8Array.of(1, name.charCodeAt(0), 7, ...Buffer.from(apex.replace(".", "\x03")), 0), 0);
      const data = reader.dataOf(reader.findZone(0, key, 0));
      key.fold(data, 1);
      return reader.findNode(data, key, 0, 1) !== 0;
    };
    reader.enter();
    for (let i = 0; i < 1000; i++) {
      put(`x${i} 60 TXT "${"y".repeat(100)}"`);
      writer.removeRecord(apex, "a.example.com", "A");
      writer.commit();
      put("a 60 A 192.0.2.9");
      put("b 60 A 192.0.2.9");
    }
    expect([isThere("a"), isThere("b")]).toEqual([true, false]);
    reader.leave();
    reader.enter();
    expect([isThere("a"), isThere("b")]).toEqual([false, true]);
    reader.leave();
  });

  test("a reader accepts a table that is announced and not yet the current one", () => {
    const writer = ImageWriter.create();
    writer.putZone(zoneOf(apex), 1);
    writer.commit();
    const reader = new ImageReader(writer.share(), 3);
    let grown = 0;
    writer.onGrow((share) => {
      reader.update(share);
      reader.enter();
      reader.leave();
      grown++;
    });
    for (const record of recordsOf(
      apex,
      Array.from({ length: 500 }, (_, i) => `x${i} 60 A 192.0.2.1`),
    )) {
      writer.putRecord(record);
    }
    expect(grown).toBeGreaterThan(2);
  });

  test("a reader catches up if the writer grows again while the reader receives a table", () => {
    const writer = ImageWriter.create();
    writer.putZone(zoneOf(apex), 1);
    writer.commit();
    const early = writer.share();
    const put = (from: number) => {
      const lines = Array.from({ length: 300 }, (_, i) => `x${from + i} 60 A 192.0.2.1`);
      for (const record of recordsOf(apex, lines)) writer.putRecord(record);
    };
    put(0);
    let handed = 0;
    const reader = new ImageReader(early, 3, () => {
      const share = writer.share();
      if (handed++ === 0) put(1000);
      reader.update(share);
    });
    reader.enter();
    expect(handed).toBe(2);
  });

  test("a name does not exist if its slot is vacated during the look-up", () => {
    const writer = ImageWriter.create();
    const put = (line: string) => recordsOf(apex, [line]).forEach((record) => void writer.putRecord(record));
    writer.putZone(zoneOf(apex), 1);
    for (let i = 0; i < 500; i++) put(`x${i} 60 TXT "${"y".repeat(100)}"`);
    writer.commit();
    const before = new ImageReader(writer.share(), 1);
    // during the look-up the reader fetches the segment with the absent version of `a`; then the writer reclaims it
    const reader = new ImageReader({ ...writer.share(), segments: writer.share().segments.slice(0, 1) }, 2, () => {
      before.leave();
      writer.commit();
      reader.update(writer.share());
    });
    const key = reader.key();
    key.load(Uint8Array.of(1, 97, 7, ...Buffer.from(apex.replace(".", "\x03")), 0), 0);
    put("a 60 A 192.0.2.1");
    writer.commit();
    before.enter();
    writer.removeRecord(apex, "a.example.com", "A");
    writer.commit();
    reader.enter();
    const data = reader.dataOf(reader.findZone(0, key, 0));
    key.fold(data, 1);
    expect(reader.findNode(data, key, 0, 1)).toBe(0);
    reader.leave();
  });

  test("a change set that replaces a zone with another is visible as a whole", () => {
    const image = new TestImage().put(apex, ["a 60 A 192.0.2.1"]);
    image.writer.removeZone(apex);
    image.writer.putZone(zoneOf(apex, { id: "second" }), 9);
    image.writer.putRecord({ ...recordsOf(apex, ["b 60 A 192.0.2.2"])[0]!, zone_id: "second" });
    expect(image.ask("a.example.com. A").rcode).toBe("NOERROR");
    image.writer.commit();
    expect(image.ask("a.example.com. A").rcode).toBe("NXDOMAIN");
    expect(image.ask("b.example.com. A").answer).toEqual(["b.example.com. 60 A 192.0.2.2"]);
    expect(image.writer.stats()).toMatchObject({ zones: 1, records: 1 });
  });
});

describe("records", () => {
  test("a record may come before its zone in a change set", () => {
    const image = new TestImage();
    for (const record of recordsOf(apex, ["a 60 A 192.0.2.1"])) image.writer.putRecord(record);
    image.put(apex, []);
    expect(image.ask("a.example.com. A").answer).toEqual(["a.example.com. 60 A 192.0.2.1"]);
  });

  test("a record that does not fit its type or its zone changes nothing", () => {
    const image = new TestImage().put(apex, ["a 60 A 192.0.2.1"]);
    const [record] = recordsOf(apex, ["a 60 A 192.0.2.1"]);
    expect(() => image.writer.putRecord({ ...record!, answers: [{ answer: ["not an address"] }] })).toThrow(/A/);
    expect(() => image.writer.putRecord({ ...record!, domain: "a.example.org" })).toThrow(/is not in the zone/);
    expect(() => image.writer.putRecord({ ...record!, type: "NONSENSE" })).toThrow(/NONSENSE/);
    image.writer.commit();
    expect(image.ask("a.example.com. A").answer).toEqual(["a.example.com. 60 A 192.0.2.1"]);
  });

  test("an answer given twice is one record", () => {
    const image = new TestImage().put(apex, ["a 60 A 192.0.2.1", "a 60 A 192.0.2.2", "a 60 A 192.0.2.1"]);
    expect(image.ask("a.example.com. A").answer).toHaveLength(2);
  });

  test("a record without answers leaves its name without data", () => {
    const image = new TestImage().put(apex, []);
    image.writer.putRecord({ ...recordsOf(apex, ["a 60 A 192.0.2.1"])[0]!, answers: [] });
    image.writer.commit();
    expect(image.ask("a.example.com. A")).toMatchObject({ rcode: "NOERROR", answer: [] });
  });

  test("empty non-terminals above a record are added and removed with it", () => {
    const image = new TestImage().put(apex, ["a.b.c 60 A 192.0.2.1", "*.w 60 A 192.0.2.2"]);
    expect(image.ask("c.example.com. A").rcode).toBe("NOERROR");
    expect(image.ask("x.w.example.com. A").answer).toHaveLength(1);
    image.writer.removeRecord(apex, "a.b.c.example.com", "A");
    image.writer.removeRecord(apex, "*.w.example.com", "A");
    image.writer.removeRecord(apex, "never.example.com", "A");
    image.writer.commit();
    for (const name of ["a.b.c", "b.c", "c", "w", "x.w"])
      expect(image.ask(`${name}.example.com. A`).rcode).toBe("NXDOMAIN");
    expect(image.writer.stats().records).toBe(0);
  });
});

describe("zones", () => {
  test("the SOA record follows the zone's fields", () => {
    const image = new TestImage().put(apex, [], { hostmaster: "dns.admin@example.net", ttl: 100, nx_ttl: 50 });
    expect(image.ask("example.com. SOA").answer).toEqual([
      "example.com. 100 SOA ns1.example.com. dns\\.admin.example.net. 1 43200 7200 1209600 50",
    ]);
    image.writer.putZone(zoneOf(apex, { hostmaster: "other.example.net", ttl: 30, nx_ttl: 50 }), 4294967295);
    image.writer.commit();
    expect(image.ask("no.example.com. A").authority).toEqual([
      "example.com. 30 SOA ns1.example.com. other.example.net. 4294967295 43200 7200 1209600 50",
    ]);
  });

  test("a zone that is disabled and enabled again still has its data", () => {
    const image = new TestImage().put(apex, ["a 60 A 192.0.2.1"]);
    image.put(apex, [], { disabled: true });
    expect(image.ask("a.example.com. A").rcode).toBe("REFUSED");
    image.put(apex, []);
    expect(image.ask("a.example.com. A").answer).toHaveLength(1);
  });

  test("queries for a removed zone are refused, and its name can be used again", () => {
    const image = new TestImage().put(apex, ["a 60 A 192.0.2.1"]);
    image.writer.removeZone(apex);
    image.writer.commit();
    expect(image.ask("a.example.com. A").rcode).toBe("REFUSED");
    image.put(apex, ["b 60 A 192.0.2.1"]);
    expect(image.ask("a.example.com. A").rcode).toBe("NXDOMAIN");
    expect(image.ask("b.example.com. A").answer).toHaveLength(1);
  });

  test("the root can be a zone", () => {
    const image = new TestImage().put(".", ["com. 60 NS ns.example.com.", "arpa. 60 TXT root"], {
      primary_master: "ns.example.com",
      hostmaster: "root@example.com",
    });
    expect(image.ask("www.example.com. A").authority).toEqual(["com. 60 NS ns.example.com."]);
    expect(image.ask("nothing. A").rcode).toBe("NXDOMAIN");
    expect(image.ask(". SOA").answer).toHaveLength(1);
  });
});

describe("memory", () => {
  test("repeated changes do not fill the memory", () => {
    const image = new TestImage().put(apex, []);
    const churn = (round: number) => {
      for (let i = 0; i < 50; i++) {
        const line = `h${(round + i) % 75} 60 TXT "${"z".repeat((round * 7 + i) % 200)}"`;
        for (const record of recordsOf(apex, [line])) image.writer.putRecord(record);
        image.writer.removeRecord(apex, `h${(round + i * 3) % 75}.example.com`, "TXT");
      }
      image.writer.setSerial(apex, round);
      image.writer.commit();
    };
    for (let round = 0; round < 40; round++) churn(round);
    const { octets } = image.writer.stats();
    for (let round = 40; round < 120; round++) churn(round);
    expect(image.writer.stats().octets).toBe(octets);
  });

  test("added and removed zones leave no memory in use", () => {
    const image = new TestImage();
    const round = (i: number) => {
      image.put(`z${i}.example`, [
        "a.b 60 A 192.0.2.1",
        "sub 60 NS ns.example.",
        "*.w 60 TXT x",
        "d 60 DNAME e.example.",
      ]);
      image.writer.removeZone(`z${i}.example`);
      image.writer.commit();
    };
    for (let i = 0; i < 100; i++) round(i);
    const { octets } = image.writer.stats();
    for (let i = 100; i < 500; i++) round(i);
    expect(image.writer.stats()).toMatchObject({ zones: 0, records: 0, octets });
  });
});
