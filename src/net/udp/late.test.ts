/** Copies of queries that are answered later. */
import { expect, test } from "vitest";
import { sockaddrRoom } from "../socket/address.ts";
import { LateQueries } from "./late.ts";
import { controlRoom } from "./mmsghdr.ts";

const datagram = (...octets: number[]) => ({
  query: Uint8Array.from(octets),
  name: new Uint8Array(sockaddrRoom).fill(octets[0]!),
  control: new Uint8Array(controlRoom).fill(octets[0]!),
  controlLength: octets.length,
});

test("queries are taken in their order, with their clients, also when the memory is used again", () => {
  const late = new LateQueries();
  for (let n = 0; n < 300; n++) {
    late.add(datagram(n & 255, 1), n);
    late.add(datagram(n & 255, 2, 3), n);
    expect(late.first(n)).toEqual(datagram(n & 255, 1));
    late.remove();
    expect(late.first(n)).toEqual(datagram(n & 255, 2, 3));
    late.remove();
    expect(late.isEmpty).toBe(true);
  }
  expect(late.first(300)).toBeUndefined();
});

test("there is room for a limited number, and not for long queries", () => {
  const late = new LateQueries();
  expect(late.add({ ...datagram(1), query: new Uint8Array(513) }, 0)).toBe(false);
  let count = 0;
  while (late.add(datagram(count & 255), 0)) count++;
  expect(count).toBe(128);
  late.first(0);
  late.remove();
  expect(late.add(datagram(1), 0)).toBe(true);
});

test("queries whose clients no longer wait are left out", () => {
  const late = new LateQueries();
  late.add(datagram(1), 0);
  late.add(datagram(2), 1500);
  expect(late.first(3000)).toEqual(datagram(2));
  // it has had a turn, and gets further ones
  expect(late.first(4000)).toEqual(datagram(2));
  late.remove();
  expect(late.isEmpty).toBe(true);
});
