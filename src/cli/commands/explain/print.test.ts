/** The reply of explain, printed as text. */
import { expect, test } from "vitest";
import type { Explanation } from "../../../control/steering/explain/schema.ts";
import { printExplanation } from "./print.ts";

const base: Explanation = {
  name: "www.example.com",
  type: "A",
  rcode: "NOERROR",
  flags: ["aa"],
  answer: ["www.example.com. 20 IN A 192.0.2.1"],
  authority: [],
  additional: ['www.example.com. 20 IN TXT "two words"'],
  octets: 70,
  ecs: { subnet: "198.51.100.0/24", scope: 20 },
  client: { address: "192.0.2.1", subnet: null, location: null },
  steps: [],
  warnings: [],
};
const unlinked = { wildcard: false, link: null, hidden: false };
const whole = { elements: null };
const step = { name: "www.example.com", zone: "example.com", state: "answer", ...unlinked };

test("the text has each part of the explanation", () => {
  const text = printExplanation({
    ...base,
    steps: [
      { ...step, state: "cname", link: "www.target.example", record: null, answers: [], filters: [] },
      { ...step, zone: null, wildcard: true, hidden: true, record: null, answers: [], filters: [] },
      {
        ...step,
        record: "www.example.com A",
        answers: [{ id: "1", answer: ["192.0.2.1"], region: "eu" }],
        filters: [
          {
            ...{ filter: "up", config: null, acts: true, before: [0, 1], after: [0] },
            ...{ left: [{ answer: 1, reason: "up has no value" }], all_down: null, guarded: false },
            values: [
              {
                ...whole,
                answer: 0,
                key: "up",
                value: true,
                source: "region",
                feed: "f1",
                origin: "pushed",
                age: 1.25,
              },
              { ...whole, answer: 1, key: "up", value: null, source: "answer", feed: "f2", origin: null, age: null },
              { ...whole, answer: 2, key: "up", value: null, source: null, feed: null, origin: null, age: null },
            ],
            facts: [],
          },
          {
            ...{ filter: "netfence_asn", config: null, acts: true, before: [0], after: [0] },
            ...{ left: [], all_down: "keep", guarded: true },
            values: [
              {
                answer: 0,
                key: "asn",
                value: [1],
                elements: 2,
                source: "record",
                feed: null,
                origin: "stored",
                age: null,
              },
              { ...whole, answer: 1, key: "asn", value: 1, source: "answer", feed: "f1", origin: "assumed", age: null },
              { ...whole, answer: 2, key: "asn", value: 1, source: "answer", feed: "f2", origin: "fallback", age: 60 },
            ],
            facts: [],
          },
          {
            ...{ filter: "geofence_country", config: { remove_no_location: true }, acts: false },
            ...{ left: [], all_down: null, guarded: false },
            ...{ before: [0], after: [0], values: [], facts: [{ fact: "country", value: "", bits: 24 }] },
          },
        ],
      },
    ],
    warnings: [{ code: "slow_failover", domain: "www.example.com", type: "A", field: "ttl", message: "it takes long" }],
    draws: [
      { answer: ["192.0.2.1"], count: 3, share: 0.75 },
      { answer: [], count: 1, share: 0.25 },
    ],
    matrix: {
      FR: [{ answer: ["192.0.2.2"], count: 1, share: 1 }],
      DE: [{ answer: ["192.0.2.2"], count: 1, share: 1 }],
    },
  });
  expect(text).toBe(`www.example.com A: NOERROR aa, 70 octets
  for a client at 192.0.2.1

look-up of www.example.com: cname, zone example.com, through the link to www.target.example

look-up of www.example.com: answer, by a wildcard
  answered by a record that you may not view

look-up of www.example.com: answer, zone example.com
  steered by the record www.example.com A
    #0  192.0.2.1  in eu
  up: #0 #1 -> #0
      #1  removed: up has no value
      #0  up  true   from the region, by feed f1, pushed 1.3 s ago
      #1  up  unset  from the answer, by feed f2, never pushed
      #2  up  unset
  netfence_asn: #0 -> #0
      no answer is up, so all stay
      live_guard put answers back
      #0  asn  [1], the first of 2  from the record
      #1  asn  1                    from the answer, by feed f1, assumed
      #2  asn  1                    from the answer, by the fallback of feed f2, pushed 60.0 s ago
  geofence_country remove_no_location=true: has no effect on this record
      country  unknown  from 24 bits of the client's address

answer
  www.example.com.  20  IN  A  192.0.2.1

additional
  www.example.com.  20  IN  TXT  "two words"

client subnet 198.51.100.0/24: the answer is valid for /20

4 draws
   75.0 %  3  192.0.2.1
   25.0 %  1  no answer

by country of the client
  192.0.2.2: 2 countries
    DE FR

warnings
  slow_failover  ttl  it takes long
`);
});
