/**
 * An edge that is killed, terminated or suspended under load; test/faults/restart.ts and stopstart.ts do it many times.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { edgeRounds } from "../faults/edges.ts";
import { prepare } from "../faults/load-zone.ts";
import { type Service, service } from "../service/kit.ts";

let running: Service;

beforeAll(async () => {
  running = await service();
  await prepare(running);
});

afterAll(() => running?.stop());

test.each([
  // few enough for the smallest buffers that a system grants
  ["SIGKILL", 50],
  ["SIGTERM", 50],
  ["SIGSTOP", 50],
  ["SIGTERM", 0],
] as const)(
  "%s of the edge, at %i queries a second: queries that wait are answered, and no descriptor leaks",
  async (signal, rate) => {
    const { silences, udp, descriptors } = await edgeRounds(running, { signal, rounds: 2, rate, seed: 1 });
    expect(silences).toHaveLength(2);
    expect(descriptors[1]).toBe(descriptors[0]);
    // a killed process loses the queries that it had read
    if (udp) expect(udp).toMatchObject(signal === "SIGKILL" ? { wrong: 0 } : { lost: 0, wrong: 0 });
    if (signal === "SIGKILL") expect(udp!.lost).toBeLessThan(udp!.asked / 10);
  },
);
