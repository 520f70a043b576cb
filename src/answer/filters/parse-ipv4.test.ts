/** The address that the `parse_ipv4` filter reads in a name. */
import { expect, test } from "vitest";
import { runChain } from "../../../test/engine/chain.ts";

const matched = (...labels: string[]) =>
  Uint8Array.from(labels.flatMap((label) => [label.length, ...Buffer.from(label, "latin1")]));

const cases: [name: string, labels: string[], address: string | undefined, separator?: unknown][] = [
  ["numbers with -", ["192-0-2-1"], "192.0.2.1"],
  ["numbers with _", ["192_0_2_1"], "192.0.2.1", "_"],
  ["numbers in labels", ["192", "0", "2", "1"], "192.0.2.1", "."],
  ["the lowest", ["0-0-0-0"], "0.0.0.0"],
  ["the highest", ["255-255-255-255"], "255.255.255.255"],
  ["a separator other than the record's", ["192_0_2_1"], undefined],
  ["a number above 255", ["192-0-2-256"], undefined],
  ["three numbers", ["192-0-2"], undefined],
  ["five numbers", ["192-0-2-1-1"], undefined],
  ["a missing number", ["192--2-1"], undefined],
  ["a separator at the end", ["192-0-2-1-"], undefined],
  ["a separator at the beginning", ["-192-0-2-1"], undefined],
  ["a leading 0", ["192-0-02-1"], undefined],
  ["letters", ["192-0-2-1a"], undefined],
  ["a word before the address", ["host-192-0-2-1"], undefined],
  ["a label before the address", ["www", "192-0-2-1"], undefined],
  ["a label before the labels of the address", ["www", "192", "0", "2", "1"], undefined, "."],
  ["a dot inside a label", ["192.0.2.1"], "192.0.2.1", "."],
  ["an invalid separator means -", ["192-0-2-1"], "192.0.2.1", "+"],
  ["a separator that is not text means -", ["192-0-2-1"], "192.0.2.1", 7],
  ["no labels", [], undefined],
  ["a label of 48 octets, whose length octet is the digit 0", ["1-".repeat(24)], undefined],
];
test.each(cases)("the address in labels: %s", (_name, labels, address, separator) => {
  const filters = [{ filter: "parse_ipv4", config: separator === undefined ? {} : { separator } }];
  const left = runChain({ answers: [{}, {}], filters, matched: matched(...labels) }).left;
  expect(left).toEqual(address === undefined ? [0, 1] : [0, 1, address]);
});

test("a record that is not at a wildcard stays unchanged", () => {
  expect(runChain({ answers: [{}], filters: [{ filter: "parse_ipv4" }] }).left).toEqual([0]);
});

test("records of other types stay unchanged", () => {
  const answers = [{ answer: ["2001:db8::1"] }];
  const chain = { type: "AAAA", answers, filters: [{ filter: "parse_ipv4" }], matched: matched("192-0-2-1") };
  expect(runChain(chain).left).toEqual([0]);
});

test("the made answer has no metadata, not even the record's", () => {
  const filters = [{ filter: "parse_ipv4" }, { filter: "up" }];
  const chain = { meta: { up: true }, answers: [{}], filters, matched: matched("192-0-2-1") };
  expect(runChain(chain).left).toEqual([0]);
});

test("later filters see the made answer", () => {
  const filters = [{ filter: "parse_ipv4" }, { filter: "shuffle" }, { filter: "select_first_n", config: { N: 9 } }];
  expect(runChain({ answers: [{}], filters, matched: matched("192-0-2-1") }).left.toSorted()).toEqual([0, "192.0.2.1"]);
});
