import { array, asyncProperty, assert as check, integer, record, uint8Array } from "fast-check";
import { expect, test } from "vitest";
import { PartWriter, type PlainRecord, partsHash, readPart, verifiedParts } from "./contents.ts";
import { StreamBroken } from "./subscription.ts";

const octets = (most: number) => uint8Array({ minLength: 0, maxLength: most });
const plainRecord = record({
  owner: uint8Array({ minLength: 1, maxLength: 255 }),
  type: integer({ min: 0, max: 0xffff }),
  ttl: integer({ min: 0, max: 0x7fffffff }),
  rdata: array(octets(70_000).map((all) => all.subarray(0, 0xffff))),
});

function composed(parts: readonly (readonly PlainRecord[])[]) {
  const writer = new PartWriter();
  const hash = partsHash();
  const all = parts.map((records) => {
    for (const each of records) writer.add(each);
    const part = writer.take();
    hash.update(part);
    return part;
  });
  const load = { id: "load", parts: all.length, records: parts.flat().length, checksum: hash.digest("hex") };
  return { all, load };
}

async function readAll(load: ReturnType<typeof composed>["load"], parts: readonly (Uint8Array | undefined)[]) {
  const read: PlainRecord[] = [];
  for await (const part of verifiedParts(load, async (number) => parts[number])) read.push(...readPart(part));
  return read;
}

test("the records of a part are those that were composed", async () => {
  await check(
    asyncProperty(array(array(plainRecord, { maxLength: 5 }), { maxLength: 4 }), async (parts) => {
      const { all, load } = composed(parts);
      expect(await readAll(load, all)).toEqual(parts.flat());
    }),
    { numRuns: 50 },
  );
});

test("parts that are missing or differ from the announced ones break the stream", async () => {
  const one = { owner: Uint8Array.of(1, 97, 0), type: 1, ttl: 60, rdata: [Uint8Array.of(192, 0, 2, 1)] };
  const { all, load } = composed([[one], [{ ...one, type: 16 }]]);
  await expect(readAll(load, [all[0], undefined])).rejects.toThrow(StreamBroken);
  const damaged = Uint8Array.from(all[1]!);
  damaged[damaged.length - 1]! ^= 1;
  await expect(readAll(load, [all[0], damaged])).rejects.toThrow("load load is damaged");
  await expect(readAll(load, [all[1], all[0]])).rejects.toThrow(StreamBroken);
});
