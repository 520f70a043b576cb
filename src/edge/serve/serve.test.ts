/** Odd and hostile packets, in process: each gets the right answer, and does not affect the next query. */
import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { ask, type CaseTransport, expectReaction, wantedOver, withOpt } from "../../../test/flows/wire/case.ts";
import { tables } from "../../../test/flows/wire/cases/index.ts";
import { apex, lines, nsid, zone } from "../../../test/flows/wire/zone.ts";
import { runs } from "../../../test/runs.ts";
import { parseAnswer, queryOf, TestImage } from "../../../test/scenarios/image.ts";
import { option, u16 } from "../../../test/scenarios/packet.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import { Cookies } from "./cookies.ts";
import { createServe } from "./serve.ts";

const image = new TestImage({
  cookies: new Cookies([new Uint8Array(16)]),
  idle: 10_000,
  nsid: Buffer.from(nsid),
}).put(zone, lines);
const transports: readonly CaseTransport[] = ["udp", "tcp", "tls", "https"];

describe.each(Object.entries(tables))("%s", (_, cases) => {
  test.each(cases)("$name", (one) => {
    for (const transport of transports) {
      expectReaction(one.query, image.send(one.query, transport), wantedOver(one, transport));
      const after = image.ask({ name: apex, type: "SOA", id: 77 });
      expect(after).toMatchObject({ id: 77, rcode: "NOERROR", flags: ["aa"] });
      expect(after.answer).toHaveLength(1);
    }
    expect(image.faults).toEqual([]);
  });
});

test("the question is copied octet for octet", () => {
  const asked = ask("wWw.PrObE.lAb.");
  expect(image.send(asked)?.subarray(12, asked.length)).toEqual(asked.subarray(12));
});

test("of the EDNS flags only DO is copied, and the payload size is our own", () => {
  const reply = parseAnswer(image.send(withOpt({ flags: 0xffff, payload: 4096 }))!);
  expect(reply.opt).toMatchObject({ flags: 0x8000, version: 0, payload: 1232 });
});

test("an answer never exceeds the client's payload size", () => {
  for (const payload of [0, 512, 600, 1000, 1232, 4096]) {
    const reply = image.send(withOpt({ payload }, `huge.${apex}`))!;
    expect(reply.length).toBeLessThanOrEqual(Math.min(1232, Math.max(512, payload)));
  }
});

/** All types in the slow project, and in the inner loop a part of them, which differs from run to run. */
const step = inject("isThorough") ? 1 : 16;

test("every type is answered at a name with data, at a name without data, and at a missing name", () => {
  for (const text of [apex, `b.ent.${apex}`, `no.${apex}`]) {
    const octets = ask(text);
    for (let code = Math.floor(Math.random() * step); code < 65536; code += step) {
      octets.set(u16(code), octets.length - 4);
      if (!image.send(octets)) throw new Error(`no answer to type ${code} at ${text}`);
    }
  }
  expect(image.faults).toEqual([]);
});

describe("random octets", () => {
  test("random packets never cause a fault", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300, size: "max" }), (octets) => {
        const reply = image.send(octets);
        if (reply) parseAnswer(reply);
      }),
      runs(3000),
    );
    expect(image.faults).toEqual([]);
  });

  test("damaged queries never cause a fault", () => {
    const sound = withOpt({ options: [option(10, new Array(8).fill(1)), option(8, [0, 1, 24, 0, 192, 0, 2])] });
    const damage = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(damage, fc.nat(sound.length), (changes, length) => {
        const octets = sound.slice();
        for (const [at, value] of changes) octets[at] = value;
        octets[2]! &= 0x7f;
        for (const cut of [octets, octets.subarray(0, length)]) {
          const reply = image.send(cut);
          if (reply) parseAnswer(reply);
          else expect(cut.length).toBeLessThan(12);
        }
      }),
      runs(3000),
    );
    expect(image.faults).toEqual([]);
  });
});

test("a fault is answered SERVFAIL for its query alone, and reported", () => {
  const faults: unknown[] = [];
  const reader = new ImageReader(ImageWriter.create().share(), 0);
  const serve = createServe(reader, { onFault: (fault) => faults.push(fault) });
  reader.findZone = () => {
    throw new Error("broken");
  };
  const out = new Uint8Array(512);
  const octets = queryOf({ name: "www.example.", type: "A", id: 9, edns: 1232 });
  const client = { family: 4, address: Uint8Array.of(192, 0, 2, 1), port: 1 } as const;
  const length = serve(octets, 0, octets.length, client, "udp", out, 0, out.length);
  expect(parseAnswer(out.slice(0, length))).toMatchObject({
    id: 9,
    rcode: "SERVFAIL",
    flags: [],
    question: "www.example. A",
  });
  expect(faults).toEqual([new Error("broken")]);
});
