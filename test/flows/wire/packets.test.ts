/** Odd and hostile queries over every transport: each has the expected outcome, and the next query is answered. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parseAnswer } from "../../scenarios/image.ts";
import { expectReaction, wantedOver } from "./case.ts";
import { tables } from "./cases/index.ts";
import { steered, steeredRecords, steeredZone } from "./cases/steered.ts";
import { type RunningWithPortable, startWithPortable } from "./running.ts";
import { type Way, ways, waysOverIpv6 } from "./transports.ts";
import { apex } from "./zone.ts";

/** Milliseconds within which the plain query after a packet has to be answered, in at least one of the attempts. */
const soon = 50;
const attempts = 10;

let running: RunningWithPortable;
const everyWay = { ...ways, ...waysOverIpv6 };

beforeAll(async () => {
  running = await startWithPortable();
  await running.service.zone(steeredZone);
  for (const record of steeredRecords) {
    const path = `zones/${steeredZone}/${record.domain}/${record.type}`;
    const { status, body } = await running.service.api("PUT", path, { zone: steeredZone, ...record });
    if (status !== 200) throw new Error(`${record.domain}: ${JSON.stringify(body)}`);
  }
  // the last record, at both edges
  for (const open of Object.values(everyWay)) {
    const way = await open(running.ports);
    const isThere = async () => {
      const { reply } = await way.send(lastSteered.query, 1);
      expectReaction(lastSteered.query, reply, wantedOver(lastSteered, way.transport));
    };
    await vi.waitFor(isThere, { timeout: 60_000, interval: 50 });
    way.close();
  }
});

const lastSteered = steered.find(({ name }) => name.startsWith("the scope is as long"))!;

afterAll(() => running?.stop());

describe.each(Object.entries(everyWay))("over %s", (_, open) => {
  let way: Way;
  let plainId = 0x7000;

  beforeAll(async () => {
    way = await open(running.ports);
  });

  afterAll(async () => {
    way?.close();
    await running.assertUnharmed();
  });

  describe.each(Object.entries({ ...tables, "steered records": steered }))("%s", (_name, cases) => {
    test.each(cases)("$name", async (one) => {
      let took = Number.POSITIVE_INFINITY;
      // other work on the machine does not cause the delay each time
      for (let attempt = 0; attempt < attempts && took > soon; attempt++) {
        const id = plainId++;
        const { reply, plain, plainTook } = await way.send(one.query, id);
        expectReaction(one.query, reply, wantedOver(one, way.transport));
        const after = parseAnswer(plain);
        expect(after).toMatchObject({ id, rcode: "NOERROR", flags: ["aa"], question: `${apex} SOA` });
        expect(after.answer).toHaveLength(1);
        took = plainTook;
      }
      expect(took).toBeLessThanOrEqual(soon);
    });
  });
});

test.each([
  ["a weight below 0", { weight: -1 }],
  ["a weight that is no number", { weight: "much" }],
  ["an `up` that is neither true nor false", { up: "maybe" }],
])("%s cannot be put into a record", async (_, meta) => {
  const domain = `odd.${steeredZone}`;
  const record = { zone: steeredZone, domain, type: "A", answers: [{ answer: ["192.0.2.1"], meta }] };
  expect(await running.service.api("PUT", `zones/${steeredZone}/${domain}/A`, record)).toMatchObject({ status: 400 });
});
