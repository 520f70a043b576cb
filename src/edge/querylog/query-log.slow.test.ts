/** The query log as a collector reads it, and without a collector. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { silent } from "../../../test/store/store.ts";
import type { Tapped } from "./dnstap-message.ts";
import { Control, controlFrame } from "./frame-stream.ts";
import { QueryLog } from "./query-log.ts";
import { makeTap, Tap } from "./tap.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-dnstap-"));
afterAll(() => rmSync(directory, { recursive: true }));

const origin = { identity: "edge", version: "1", sample: 1, log: silent };
const tapped: Tapped = {
  query: Uint8Array.of(1, 2, 3),
  reply: new Uint8Array(300).fill(7),
  family: 4,
  address: Uint8Array.of(192, 0, 2, 1),
  port: 5353,
  transport: "https",
  at: 1_900_000_000_250,
};

/** Lengths and contents of frames; control frames begin with a length of 0. */
function frames(octets: Buffer): { control: number[]; data: Buffer[] } {
  const control: number[] = [];
  const data: Buffer[] = [];
  for (let at = 0; at < octets.length; ) {
    const length = octets.readUInt32BE(at);
    if (length > 0) data.push(octets.subarray(at + 4, at + 4 + length));
    else control.push(octets.readUInt32BE(at + 8));
    at += length > 0 ? 4 + length : 8 + octets.readUInt32BE(at + 4);
  }
  return { control, data };
}

/** The fields of a Protocol Buffers message, by number. */
function fields(octets: Buffer): Map<number, number | Buffer> {
  const found = new Map<number, number | Buffer>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const octet = octets[at++]!;
      value += (octet & 0x7f) * scale;
      if (octet < 0x80) return value;
    }
  };
  while (at < octets.length) {
    const key = varint();
    if (key % 8 === 0) found.set(key >>> 3, varint());
    else if (key % 8 === 5) {
      found.set(key >>> 3, octets.readUInt32LE(at));
      at += 4;
    } else {
      const length = varint();
      found.set(key >>> 3, octets.subarray(at, at + length));
      at += length;
    }
  }
  return found;
}

test("a file contains each query with its answer, between START and STOP", async () => {
  const path = join(directory, "file");
  const log = new QueryLog({ ...origin, target: { kind: "file", path } });
  log.write(tapped);
  log.write({ ...tapped, reply: undefined });
  await log.close();
  expect({ written: log.written, dropped: log.dropped }).toEqual({ written: 2, dropped: 0 });
  const { control, data } = frames(readFileSync(path));
  expect(control).toEqual([Control.START, Control.STOP]);
  const [answered, silent] = data.map((frame) => fields(frame));
  expect([...answered!.keys()]).toEqual([1, 2, 14, 15]);
  const message = fields(answered!.get(14) as Buffer);
  expect(Object.fromEntries(message)).toEqual({
    ...{ 1: 2, 2: 1, 3: 4, 4: Buffer.from(tapped.address), 6: 5353 },
    ...{ 8: 1_900_000_000, 9: 250_000_000, 10: Buffer.from(tapped.query) },
    ...{ 12: 1_900_000_000, 13: 250_000_000, 14: Buffer.from(tapped.reply!) },
  });
  expect(fields(silent!.get(14) as Buffer).get(1)).toBe(1);
});

test("a collector gets the handshake; queries without a collector are dropped and counted", async () => {
  const path = join(directory, "socket");
  const log = new QueryLog({ ...origin, target: { kind: "socket", path } });
  log.write(tapped);
  expect(log.dropped).toBe(1);
  const received: Buffer[] = [];
  const greeted = Promise.withResolvers<Socket>();
  const collector = createServer((socket) => {
    socket.on("data", (data) => {
      if (received.push(data) === 1) socket.write(controlFrame(Control.ACCEPT));
      greeted.resolve(socket);
    });
  });
  await new Promise<void>((resolve) => collector.listen(path, resolve));
  await greeted.promise;
  await expect
    .poll(() => {
      log.write(tapped);
      return log.written;
    })
    .toBeGreaterThan(0);
  await log.close();
  await new Promise((resolve) => collector.close(resolve));
  const { control, data } = frames(Buffer.concat(received));
  expect(control).toEqual([Control.READY, Control.START, Control.STOP]);
  expect(data).toHaveLength(log.written);
});

test("only sampled queries are copied, and none while too many copies are in transit", () => {
  const share = makeTap(3);
  const copied: Tapped[] = [];
  const tap = new Tap(share, (copy) => copied.push(copy));
  const { query, reply, family, address, port } = tapped;
  for (let n = 0; n < 6000; n++) if (tap.isDue()) tap.take(query, reply, { family, address, port }, "udp");
  expect(copied).toHaveLength(1024);
  expect([...share.waiting]).toEqual([1024, 2000 - 1024]);
  expect(copied[0]).toMatchObject({ ...tapped, transport: "udp", at: expect.any(Number) });
});
