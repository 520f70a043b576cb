/** The program for the kernel: which frames it takes, interpreted here, and by the kernel where that is permitted. */
import { afterAll, describe, expect, test } from "vitest";
import { seededRandom } from "../../../test/machine/random.ts";
import { interpret } from "../../../test/network/ebpf.ts";
import { composeFrame, type Datagram, macs, readFrame } from "../../../test/network/frames.ts";
import { hasLibc } from "../../lib/system/libc.ts";
import { closeFd } from "../socket/sockets.ts";
import { createSocketMap, loadProgram, obstacleOfBpf, runProgram } from "./bpf.ts";
import { composeProgram, longestFrame, mostRules, verdict, type XdpRules } from "./program.ts";

const own = [192, 0, 2, 1];
const other = [203, 0, 113, 200];
const own6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 1];
const client = [198, 51, 100, 7];
const client6 = own6.with(15, 9);

const rules: XdpRules = {
  mac: Uint8Array.from(macs.to),
  endpoints: [
    { address: Uint8Array.from(own), port: 53 },
    { address: Uint8Array.from(other), port: 5353 },
    { address: Uint8Array.from(own6), port: 53 },
  ],
  ours: [own, other, own6, [192, 0, 2, 255]].map((address) => Uint8Array.from(address)),
};

const v4: Datagram = { source: client, destination: own, ports: [40_001, 53], payload: [1, 2, 3] };
const v6: Datagram = { ...v4, source: client6, destination: own6 };

const obstacle = hasLibc() ? obstacleOfBpf() : "no system calls";
const kernel = describe.skipIf(obstacle !== undefined);

interface Runner {
  run(rules: XdpRules, frame: readonly number[]): number;
}

/** Frames that would be redirected are dropped, since the map is empty. */
const interpreted: Runner = {
  run: (given, frame) => interpret(composeProgram(given, 3, verdict.drop), frame),
};

const loaded = new Map<XdpRules, number>();
const byKernel: Runner = {
  run(given, frame) {
    const map = createSocketMap(4);
    const program = loaded.get(given) ?? loadProgram(composeProgram(given, map, verdict.drop));
    loaded.set(given, program);
    closeFd(map);
    return runProgram(program, Uint8Array.from(frame));
  },
};
afterAll(() => {
  for (const program of loaded.values()) closeFd(program);
});

function judges({ run }: Runner): void {
  const takes = (frame: readonly number[], given: XdpRules = rules) => run(given, frame) === verdict.drop;

  test("queries to an endpoint are taken, whatever is wrong in them", () => {
    for (const query of [v4, v6]) {
      expect(takes(composeFrame(query))).toBe(true);
      expect(takes(composeFrame({ ...query, odd: { sum: "wrong", padding: 20 } }))).toBe(true);
    }
    expect(takes(composeFrame({ ...v4, destination: other, ports: [1, 5353] }))).toBe(true);
  });

  test("other addresses, ports and machines are the kernel's", () => {
    for (const query of [v4, v6]) {
      const { destination } = query;
      expect(takes(composeFrame({ ...query, destination: destination.with(-1, 2) }))).toBe(false);
      expect(takes(composeFrame({ ...query, destination: destination.with(0, 1) }))).toBe(false);
      for (const port of [0, 52, 54, 53 * 256]) {
        expect(takes(composeFrame({ ...query, ports: [40_001, port] }))).toBe(false);
      }
      for (const to of [macs.from, Array(6).fill(255), [...macs.to.slice(0, 5), 9]]) {
        expect(takes(composeFrame({ ...query, odd: { macs: { ...macs, to } } }))).toBe(false);
      }
    }
    expect(takes(composeFrame({ ...v4, destination: other }))).toBe(false);
  });

  test("packets from our own and from broadcast addresses are the kernel's", () => {
    for (const source of [own, other, [192, 0, 2, 255]]) expect(takes(composeFrame({ ...v4, source }))).toBe(false);
    expect(takes(composeFrame({ ...v6, source: own6 }))).toBe(false);
  });

  test("fragments, options, further headers, tags, TCP and ARP are the kernel's", () => {
    const [frame, frame6] = [composeFrame(v4), composeFrame(v6)];
    const odd = [14, 0x46, 20, 0x20, 20, 0x1f, 21, 1, 23, 6, 12, 0x81, 13, 6];
    for (let n = 0; n < odd.length; n += 2) expect(takes(frame.with(odd[n]!, odd[n + 1]!))).toBe(false);
    // without permission to make fragments
    expect(takes(frame.with(20, 0x40))).toBe(true);
    for (const octet of [0, 6, 43, 44, 60]) expect(takes(frame6.with(20, octet))).toBe(false);
  });

  test("short and very long frames are the kernel's", () => {
    for (const [query, head] of [
      [v4, 42],
      [v6, 62],
    ] as const) {
      const frame = composeFrame({ ...query, payload: Array(longestFrame).fill(0) });
      for (const length of [14, head - 1, longestFrame + 1]) expect(takes(frame.slice(0, length))).toBe(false);
      for (const length of [head, longestFrame]) expect(takes(frame.slice(0, length))).toBe(true);
    }
  });

  test("without an address, everything is the kernel's", () => {
    for (const query of [v4, v6]) expect(takes(composeFrame(query), { ...rules, endpoints: [] })).toBe(false);
    const one = { ...rules, endpoints: rules.endpoints.slice(0, 1), ours: [] };
    expect([takes(composeFrame(v4), one), takes(composeFrame(v6), one)]).toEqual([true, false]);
  });

  test("there is room for many rules; further ones are left to the kernel", () => {
    const address = (n: number) => Uint8Array.from(own6.with(14, n >> 8).with(13, n & 255));
    const many: XdpRules = {
      ...rules,
      endpoints: Array.from({ length: 600 }, (_, n) => ({ address: address(n), port: 53 })),
      ours: Array.from({ length: 600 }, (_, n) => address(n + 2000)),
    };
    const taken = (n: number) => takes(composeFrame({ ...v6, destination: [...address(n)] }), many);
    expect([0, 1, mostRules / 2 - 1, mostRules / 2].map(taken)).toEqual([true, true, true, false]);
  });
}

describe("interpreted", () => judges(interpreted));

kernel(`in the kernel (${obstacle ?? "permitted"}), which needs CAP_BPF and CAP_NET_ADMIN`, () => {
  judges(byKernel);

  test("random changes of frames are judged as by the interpreter", () => {
    const random = seededRandom(35);
    for (let round = 0; round < 3000; round++) {
      const frame = composeFrame(random() < 0.5 ? v4 : v6);
      for (let changes = 0; changes < 2; changes++) {
        frame[Math.floor(random() * frame.length)] = Math.floor(random() * 256);
      }
      expect(byKernel.run(rules, frame), JSON.stringify(frame)).toBe(interpreted.run(rules, frame));
    }
  });
});

test("the octets of a program are those that the kernel's own tools show", () => {
  const program = composeProgram({ ...rules, ours: [] }, 7);
  const lines = Array.from({ length: program.length / 8 }, (_, n) =>
    Buffer.from(program.subarray(n * 8, n * 8 + 8)).toString("hex"),
  );
  expect(lines.slice(0, 6)).toEqual([
    "bf16000000000000", // r6 = r1
    "6162000000000000", // r2 = *(u32 *)(r6 + 0)
    "6163040000000000", // r3 = *(u32 *)(r6 + 4)
    "bf24000000000000", // r4 = r2
    "070400002a000000", // r4 += 42
    expect.stringMatching(/^2d34..0000000000$/), // if r4 > r3 goto pass
  ]);
  expect(lines.slice(-8)).toEqual([
    "6162100000000000", // r2 = *(u32 *)(r6 + 16)
    "1811000007000000", // r1 = map 7
    "0000000000000000",
    "b703000002000000", // r3 = 2: XDP_PASS
    "8500000033000000", // call bpf_redirect_map
    "9500000000000000",
    "b700000002000000",
    "9500000000000000",
  ]);
  expect(readFrame(composeFrame(v4))?.payload).toEqual([1, 2, 3]);
});
