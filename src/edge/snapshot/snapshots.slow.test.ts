import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { queryOf, recordState, summary, zoneState } from "../../../test/engine/states.ts";
import { silent } from "../../../test/store/store.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import type { ServedNetworks } from "../../sync/change.ts";
import { createServe } from "../serve/serve.ts";
import { headerOctets } from "./format.ts";
import { snapshotFiles } from "./names.ts";
import { Snapshots } from "./snapshots.ts";

const zone = zoneState("example.com");
const www = (address: string) => recordState(zone, "www.example.com", "A", [address]);
const client = { family: 4, address: Uint8Array.of(192, 0, 2, 9), port: 5353 } as const;

let directory: string;
let newest: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "fairlead-snapshots-"));
  newest = join(directory, "zones");
});
afterEach(() => rmSync(directory, { recursive: true }));

function ask(image: ImageWriter, question: string): string {
  const reader = new ImageReader(image.share(), 0);
  const out = new Uint8Array(1232);
  const query = queryOf(question);
  reader.enter();
  const written = createServe(reader)(query, 0, query.length, client, "udp", out, 0, out.length);
  reader.leave();
  return summary(out.subarray(0, written));
}

function imageOf(records: number): ImageWriter {
  const image = ImageWriter.create();
  image.putZone(zone, 7);
  image.putRecord(www("192.0.2.1"));
  for (let n = 0; n < records; n++) {
    image.putRecord(
      recordState(zone, `n${n}.example.com`, "A", [`10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`]),
    );
  }
  image.commit();
  return image;
}

const at = (revision: number, image: ImageWriter) => () => ({ revision, store: "store", currentAt: 5, image });
const snapshots = () => new Snapshots(directory, "all", silent);

describe("a snapshot", () => {
  test("contains the zones, with revision, store and time", async () => {
    const image = imageOf(20_000);
    const kept = snapshots();
    expect(await kept.write(at(12, image))).toBe(true);
    expect(kept.last).toEqual({ revision: 12, store: "store", currentAt: 5 });
    const restored = snapshots().restore()!;
    expect(restored).toMatchObject({ revision: 12, store: "store", currentAt: 5 });
    for (const question of ["www.example.com A", "n19999.example.com A", "n20000.example.com A", "example.com SOA"]) {
      expect(ask(restored.image, question)).toBe(ask(image, question));
    }
    expect(restored.image.stats()).toEqual(image.stats());
    expect(readdirSync(directory)).toEqual(["zones"]);
  });

  test("of an image without zones is read like any other", async () => {
    await snapshots().write(at(1, ImageWriter.create()));
    const { image } = snapshots().restore()!;
    expect(ask(image, "www.example.com A")).toBe("REFUSED");
    image.putZone(zone, 1);
    image.commit();
    expect(ask(image, "www.example.com A")).toBe("NXDOMAIN");
  });

  test("can be changed like the original image", async () => {
    const image = imageOf(100);
    await snapshots().write(at(1, image));
    const restored = snapshots().restore()!.image;
    const other = zoneState("example.org");
    for (const each of [image, restored]) {
      each.putRecord(www("192.0.2.2"));
      each.removeRecord(zone.id, "n5.example.com", "A");
      each.putZone(other, 3);
      each.putRecord(recordState(other, "www.example.org", "A", ["192.0.2.3"]));
      each.setSerial(zone.id, 8);
      each.commit();
    }
    for (const question of ["www.example.com A", "n5.example.com A", "www.example.org A", "example.com SOA"]) {
      expect(ask(restored, question)).toBe(ask(image, question));
    }
    for (const { id } of [zone, other]) restored.removeZone(id);
    restored.commit();
    restored.commit();
    expect(restored.stats()).toMatchObject({ zones: 0, records: 0 });
    expect(ask(restored, "www.example.com A")).toBe("REFUSED");
  });

  test("keeps the accounts of zones, and the linked zones that have no target", async () => {
    const link = { ...zoneState("link.test"), link: "target.example" };
    const image = imageOf(0);
    image.putZone(link, 1);
    image.commit();
    await snapshots().write(at(1, image));
    const restored = snapshots().restore()!;
    expect(restored.isEarlier).toBe(false);
    expect(ask(restored.image, "www.link.test A")).toBe("REFUSED");
    const target = zoneState("target.example");
    for (const [account_id, answer] of [
      ["another", "REFUSED"],
      [target.account_id, "NOERROR 192.0.2.3"],
    ] as const) {
      const own = { ...target, account_id, id: account_id };
      restored.image.putZone(own, 1);
      restored.image.putRecord(recordState(own, "www.target.example", "A", ["192.0.2.3"]));
      restored.image.commit();
      expect(ask(restored.image, "www.link.test A")).toBe(answer);
    }
  });

  test("of a partly compacted image can be compacted further", async () => {
    const image = imageOf(5000);
    for (let n = 0; n < 5000; n++) if (n % 50 > 0) image.removeRecord(zone.id, `n${n}.example.com`, "A");
    image.commit();
    while (image.stats().emptied === 0) image.tidy(100);
    image.tidy(100);
    await snapshots().write(at(1, image));
    const restored = snapshots().restore()!.image;
    expect(restored.stats()).toMatchObject({ records: 101, octets: image.stats().octets });
    while (restored.tidy(1000));
    expect(restored.stats().octets).toBeLessThan(image.stats().octets);
    for (const n of [50, 4950]) expect(ask(restored, `n${n}.example.com A`)).toBe(ask(image, `n${n}.example.com A`));
    expect(ask(restored, "n51.example.com A")).toBe("NXDOMAIN");
  });

  test("has one revision, even if zones change while it is written", async () => {
    const image = imageOf(60_000);
    let turn = 0;
    const changing = setInterval(() => {
      turn++;
      const address = [`192.0.${turn >> 8}.${turn & 255}`];
      for (const domain of ["www.example.com", `n${turn * 7}.example.com`, `new${turn}.example.com`]) {
        image.putRecord(recordState(zone, domain, "A", address));
      }
      image.removeRecord(zone.id, `n${turn * 11}.example.com`, "A");
      image.setSerial(zone.id, turn);
      image.commit();
    }, 0);
    const pinned = new ImageReader(image.share(), 1);
    pinned.enter();
    const kept = snapshots();
    await kept.write(() => ({ ...at(turn, image)()! }));
    clearInterval(changing);
    const { image: restored, revision } = snapshots().restore()!;
    expect(revision).toBeGreaterThan(0);
    const address = `NOERROR 192.0.${revision >> 8}.${revision & 255}`;
    for (const domain of ["www", `n${revision * 7}`, `new${revision}`]) {
      expect(ask(restored, `${domain}.example.com A`)).toBe(address);
    }
    expect(ask(restored, `new${revision + 1}.example.com A`)).toBe("NXDOMAIN");
    expect(ask(restored, `n${revision * 11}.example.com A`)).toBe("NXDOMAIN");
    expect(ask(restored, "example.com SOA")).toBe(`NOERROR ${revision}`);
    for (let n = 50_000; n < 60_000; n += 37) expect(ask(restored, `n${n}.example.com A`)).toContain("NOERROR 10.");
    restored.removeZone(zone.id);
    restored.commit();
    restored.commit();
    expect(restored.stats()).toMatchObject({ zones: 0, records: 0 });
  });
});

describe("when snapshots are read and written,", () => {
  const lines: string[] = [];
  const logged = (networks: ServedNetworks = "all") => {
    lines.length = 0;
    return new Snapshots(
      directory,
      networks,
      pino({ level: "error" }, { write: (line: string) => void lines.push(line) }),
    );
  };

  test("a truncated snapshot is refused with a message, and the previous one is used", async () => {
    const image = imageOf(10);
    await snapshots().write(at(1, image));
    await snapshots().write(at(2, image));
    expect(snapshots().restore()?.revision).toBe(2);
    truncateSync(newest, statSync(newest).size - 1);
    expect(logged().restore()?.revision).toBe(1);
    expect(lines.join()).toMatch(/it has \d+ octets, not \d+/);
    rmSync(newest);
    expect(logged().restore()?.revision).toBe(1);
    expect(lines).toEqual([]);
  });

  test("a snapshot is refused by an edge that answers other networks", async () => {
    await snapshots().write(at(1, imageOf(10)));
    expect(logged([0]).restore()).toBeUndefined();
    expect(lines.join()).toContain("it answers for other networks");
    expect(logged().restore()?.revision).toBe(1);
  });

  test("a snapshot is refused wherever it is truncated", async () => {
    await snapshots().write(at(1, imageOf(10)));
    const { size } = statSync(newest);
    const whole = join(directory, "whole");
    copyFileSync(newest, whole);
    for (const end of [0, 1, 63, 64, 65, 600, 20_000, size - 1]) {
      copyFileSync(whole, newest);
      truncateSync(newest, end);
      expect(logged().restore(), `${end} octets`).toBeUndefined();
      expect(lines).toHaveLength(1);
    }
  });

  test.each([
    ["in another format", { at: 8, octets: Uint8Array.of(99) }, "it has format 99; this version reads 1"],
    [
      "of an unreleased version",
      { at: 0, octets: Buffer.from("FAIRLEAD") },
      "it is not a snapshot that this version can read",
    ],
  ])("a snapshot %s is refused, and the log has the reason", async (_, { at: place, octets: other }, reason) => {
    await snapshots().write(at(1, imageOf(10)));
    const octets = readFileSync(newest);
    octets.set(other, place);
    octets.writeUInt32LE(crc32(octets.subarray(0, 60)), 60);
    writeFileSync(newest, octets);
    expect(logged().restore()).toBeUndefined();
    expect(lines.join()).toContain(reason);
  });

  test.each([
    ["its header", () => 9, "its header is damaged"],
    ["a region", () => headerOctets + 5, "chunk 0 of region 0 is damaged"],
    ["its trailer", (size: number) => size - 5, "its trailer is damaged"],
  ])("a snapshot damaged in %s is refused, and the next snapshot replaces it", async (_, placeIn, reason) => {
    const image = imageOf(50);
    for (const revision of [1, 2]) await snapshots().write(at(revision, image));
    const octets = readFileSync(newest);
    octets[placeIn(octets.length)]! ^= 1;
    writeFileSync(newest, octets);
    const kept = logged();
    expect(kept.restore()?.revision).toBe(1);
    expect(lines.join()).toContain(reason);
    expect([kept.faults, kept.isDamaged]).toEqual([1, true]);
    expect(await kept.write(at(2, image))).toBe(true);
    expect([kept.faults, kept.isDamaged]).toEqual([1, false]);
    expect(snapshots().restore()?.revision).toBe(2);
  });

  test("nothing is written to a full disk, and the previous snapshot stays", async () => {
    await snapshots().write(at(1, imageOf(10)));
    symlinkSync("/dev/full", snapshotFiles(directory, "zones").writing);
    const full = logged();
    expect(await full.write(at(2, imageOf(10)))).toBe(false);
    expect([full.failures, full.last]).toEqual([1, undefined]);
    expect(lines.join()).toContain("ENOSPC");
    expect(readdirSync(directory)).toEqual(["zones"]);
    expect(snapshots().restore()?.revision).toBe(1);
    expect(await full.write(at(3, imageOf(10)))).toBe(true);
  });
});
