/** Frames of queries: which are answered, and the headers of answers, compared with a slow second implementation. */
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../test/machine/random.ts";
import { composeFrame, type Datagram, isHost, macs, readFrame } from "../../../test/network/frames.ts";
import { frameMemory } from "./checksum.ts";
import { checkFrame, composeHead, destinationAt, makeClient, messageEnd, portOf, readClient } from "./frame.ts";

const memory = frameMemory(new ArrayBuffer(8192));
const [queryAt, replyAt] = [256, 4096];

const v4: Datagram = {
  source: [192, 0, 2, 7],
  destination: [192, 0, 2, 1],
  ports: [40_001, 53],
  payload: [1, 2, 3, 4, 5],
};
const v6: Datagram = {
  ...v4,
  source: [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7],
  destination: [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
};
const both = [
  ["IPv4", v4, 42],
  ["IPv6", v6, 62],
] as const;

function check(frame: readonly number[], at = queryAt): number {
  memory.octets.fill(0x55);
  memory.octets.set(frame, at);
  return checkFrame(memory, at, frame.length);
}

/** Answers the frame in memory with these octets; returns the whole frame. */
function answer(head: number, payload: readonly number[]): number[] {
  memory.octets.set(payload, replyAt + head);
  const length = composeHead(memory, replyAt, queryAt, head, payload.length);
  return [...memory.octets.subarray(replyAt, replyAt + length)];
}

/** A frame with other octets in some places, and an IPv4 header whose checksum is right nevertheless. */
function changed(frame: readonly number[], places: Readonly<Record<number, number>>): number[] {
  const copy = [...frame];
  for (const [at, octet] of Object.entries(places)) copy[Number(at)] = octet;
  return copy;
}

describe.each(both)("a query over %s", (_, query, head) => {
  test("is taken, with its message, client and destination", () => {
    expect(check(composeFrame(query))).toBe(head);
    expect(messageEnd(memory, queryAt, head)).toBe(queryAt + head + 5);
    const client = makeClient(head === 42 ? 4 : 6);
    readClient(memory, queryAt, head, client);
    expect([...client.address]).toEqual(query.source);
    expect(client.port).toBe(40_001);
    expect(portOf(memory, queryAt, head)).toBe(53);
    const at = destinationAt(queryAt, head);
    expect([...memory.octets.subarray(at, at + query.source.length)]).toEqual(query.destination);
  });

  test("is taken without its padding, and with no octets in it", () => {
    expect(check(composeFrame({ ...query, odd: { padding: 18 } }))).toBe(head);
    expect(messageEnd(memory, queryAt, head)).toBe(queryAt + head + 5);
    expect(check(composeFrame({ ...query, payload: [], odd: { padding: 4 } }))).toBe(head);
    expect(messageEnd(memory, queryAt, head)).toBe(queryAt + head);
  });

  test("is taken with the checksum that a sender on the same machine leaves unfinished", () => {
    expect(check(composeFrame({ ...query, odd: { sum: "partial" } }))).toBe(head);
  });

  test("gets silence with a wrong checksum, from port 0, to or from a group, and at an odd address", () => {
    expect(check(composeFrame({ ...query, odd: { sum: "wrong" } }))).toBe(0);
    expect(check(composeFrame({ ...query, ports: [0, 53] }))).toBe(0);
    expect(check(composeFrame({ ...query, odd: { macs: { ...macs, to: Array(6).fill(255) } } }))).toBe(0);
    expect(check(composeFrame({ ...query, odd: { macs: { ...macs, from: [3, 0, 0, 0, 0, 1] } } }))).toBe(0);
    expect(check(composeFrame(query), queryAt + 1)).toBe(0);
  });

  test("gets silence if lengths are not true", () => {
    const frame = composeFrame({ ...query, odd: { sum: "none" } });
    for (let length = 0; length < frame.length; length++) expect(check(frame.slice(0, length))).toBe(0);
    const udp = head - 4;
    for (const length of [0, 7, 14, 200]) expect(check(changed(frame, { [udp + 1]: length }))).toBe(0);
  });

  test("is answered from where it was sent to, with true checksums, whatever the length", () => {
    for (let length = 0; length < 300; length++) {
      const payload = Array.from({ length }, (_, at) => (at * 7 + length) & 255);
      expect(check(composeFrame(query))).toBe(head);
      const frame = answer(head, payload);
      expect(frame.length).toBe(Math.max(60, head + length));
      expect(frame.slice(head + length)).toEqual(Array(frame.length - head - length).fill(0));
      expect(frame.slice(0, 12)).toEqual([...macs.from, ...macs.to]);
      const { source, destination, ports } = query;
      expect(readFrame(frame)).toEqual({ source: destination, destination: source, ports: [53, ports[0]], payload });
      expect(checkFrame(memory, replyAt, frame.length)).toBe(head);
    }
  });
});

test("a checksum of 0 is none over IPv4, and wrong over IPv6", () => {
  expect(check(composeFrame({ ...v4, odd: { sum: "none" } }))).toBe(42);
  expect(check(composeFrame({ ...v6, odd: { sum: "none" } }))).toBe(0);
});

test("an answer whose sum is 0 has the checksum ffff", () => {
  for (const [, query, head] of both) {
    check(composeFrame(query));
    const zeroed = answer(head, [0, 0]);
    const sum = zeroed.slice(head - 2, head);
    expect(check(composeFrame(query))).toBe(head);
    // with these octets, the sum of everything else is 0
    expect(answer(head, sum).slice(head - 2, head)).toEqual([255, 255]);
  }
});

test("IPv4 with options, as a fragment, of another version or protocol, or with a wrong header checksum gets silence", () => {
  const frame = composeFrame({ ...v4, odd: { sum: "none" } });
  const sumOver = (places: Readonly<Record<number, number>>) => {
    const copy = changed(frame, { ...places, 24: 0, 25: 0 });
    const sum = copy.slice(14, 34).reduce((total, octet, at) => total + (at % 2 === 0 ? octet * 256 : octet), 0);
    const value = 0xffff - ((sum % 0x10000) + Math.floor(sum / 0x10000));
    return changed(copy, { 24: value >> 8, 25: value & 255 });
  };
  expect(check(sumOver({}))).toBe(42);
  expect(check(sumOver({ 20: 0x40 }))).toBe(42);
  for (const places of [{ 14: 0x46 }, { 14: 0x65 }, { 20: 0x20 }, { 20: 0x1f }, { 21: 1 }, { 23: 6 }]) {
    expect(check(sumOver(places))).toBe(0);
  }
  expect(check(changed(frame, { 24: frame[24]! ^ 1 }))).toBe(0);
});

test("IPv6 of another version, with another header, or a tag of a VLAN gets silence; traffic classes do not matter", () => {
  const frame = composeFrame(v6);
  expect(check(changed(frame, { 14: 0x6f, 15: 0xff }))).toBe(62);
  for (const places of [{ 14: 0x40 }, { 20: 44 }, { 20: 0 }, { 13: 0 }]) expect(check(changed(frame, places))).toBe(0);
  const tag = [0x81, 0, 0, 5];
  for (const [, query] of both) {
    const whole = composeFrame(query);
    expect(check([...whole.slice(0, 12), ...tag, ...whole.slice(12)])).toBe(0);
  }
});

const tail = (...last: number[]) => [...Array<number>(16 - last.length).fill(0), ...last];

test.each([
  [[0, 0, 0, 0], false],
  [[0, 1, 2, 3], false],
  [[127, 0, 0, 1], false],
  [[224, 0, 0, 1], false],
  [[239, 255, 255, 255], false],
  [[255, 255, 255, 255], false],
  [[255, 255, 255, 254], true],
  [[240, 0, 0, 1], true],
  [[1, 0, 0, 0], true],
  [[223, 255, 255, 255], true],
  [tail(), false],
  [tail(1), false],
  [tail(2), true],
  [tail(1, 0), true],
  [tail(255, 255, 192, 0, 2, 1), false],
  [tail(255, 254, 192, 0, 2, 1), true],
  [[0xff, 2, ...Array(13).fill(0), 1], false],
  [[0xfe, 0x80, ...Array(13).fill(0), 1], true],
])("from %j: %s", (source, isTaken) => {
  const query = source.length === 4 ? v4 : v6;
  expect(check(composeFrame({ ...query, source })) > 0).toBe(isTaken);
});

test("random changes of frames are judged as the second implementation judges them", () => {
  const random = seededRandom(53);
  const below = (count: number) => Math.floor(random() * count);
  let taken = 0;
  for (let round = 0; round < 30_000; round++) {
    const [, query, head] = both[below(2)]!;
    const sums = ["none", "partial", "wrong", undefined] as const;
    const sum = sums[below(4)];
    const payload = Array.from({ length: below(40) }, () => below(256));
    const odd = { padding: below(3) * below(10), ...(sum ? { sum } : {}) };
    const frame = composeFrame({ ...query, payload, odd });
    for (let changes = below(3); changes > 0; changes--) frame[below(frame.length)] = below(256);
    if (below(10) === 0) frame.length = below(frame.length);
    const found = readFrame(frame);
    const got = check(frame);
    expect(got, JSON.stringify(frame)).toBe(found ? head : 0);
    if (!found) continue;
    taken++;
    expect([...memory.octets.subarray(queryAt + got, messageEnd(memory, queryAt, got))]).toEqual(found.payload);
    // the program of the kernel takes only what is sent to our addresses
    if (!isHost(found.destination) || found.ports[1] === 0) continue;
    const { source, destination, ports } = readFrame(answer(got, payload))!;
    expect({ source, destination, ports }).toEqual({
      ...{ source: found.destination, destination: found.source, ports: [found.ports[1], found.ports[0]] },
    });
  }
  expect(taken).toBeGreaterThan(3000);
});
