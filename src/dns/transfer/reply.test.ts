/** The reader of zone transfers: its limits and counts, and any octets as RDATA. */
import { expect, test } from "vitest";
import { answerTo, record, soa } from "../../../test/network/scripted-primary.ts";
import { types } from "../types.ts";
import { scanName } from "../wire/name.ts";
import { WireError } from "../wire/wire.ts";
import { axfrQuery } from "./query.ts";
import { TransferReader } from "./reply.ts";

const zone = scanName("example.");
const question = axfrQuery(7, zone);
const reader = (octets: number) => new TransferReader({ id: 7, zone, since: undefined }, { records: 100, octets });

test("the limit on octets includes messages without records", () => {
  const taking = reader(200);
  taking.take(answerTo(question, [soa("example.", 1)]));
  const empty = answerTo(question, []);
  expect(taking.take(empty)).toEqual({ records: 0, octets: empty.length });
  expect(() => Array.from({ length: 9 }, () => taking.take(empty))).toThrow("more than 200 octets");
});

test("take returns the records and octets of a message", () => {
  const message = answerTo(question, [soa("example.", 1), record("www.example. 300 A 192.0.2.1")]);
  expect(reader(1000).take(message)).toEqual({ records: 2, octets: message.length });
});

test("RDATA of any type, with any octets, are accepted or refused with a WireError", () => {
  const octets = [[0], [1], [255], [0xc0, 0x0c], Array<number>(40).fill(0), Array<number>(40).fill(255)];
  for (const type of Object.values(types)) {
    for (const rdata of octets.map((each) => Uint8Array.from(each))) {
      const odd = { owner: scanName("www.example."), type, ttl: 1, rdata };
      try {
        reader(1000).take(answerTo(question, [soa("example.", 1), odd]));
      } catch (error) {
        expect(error, `${type.name} ${rdata}`).toBeInstanceOf(WireError);
      }
    }
  }
});
