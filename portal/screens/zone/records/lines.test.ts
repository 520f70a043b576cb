/** Records that are typed one a line, without a browser. */
import { expect, test } from "vitest";
import type { Record as DnsRecord } from "../../../api/types.ts";
import type { KnownTypes } from "../../../kit/record-types.ts";
import { editsOf, lineOf, refusedLines, scanLines } from "./lines.ts";
import type { Row } from "./row.ts";

const known: KnownTypes = {
  types: {},
  isText: (type) => type === "TXT",
  has: (type) => ["A", "MX", "TXT", "CAA", "SRV"].includes(type),
};
const scan = (text: string) => scanLines(text, "example.com", known);

const row = (domain: string, type: string, fields: Partial<Row> = {}): Row => ({
  ...{ id: `${domain}/${type}`, domain, type, name: domain, ttl: 60, answers: [], before: undefined },
  ...{ edit: undefined, isSteered: false, link: null, text: "" },
  record: { domain, type, ttl: 60, answers: [{ answer: ["192.0.2.9"], id: "a" }] } as unknown as DnsRecord,
  ...fields,
});

test("a line has a name, a TTL and a class if it likes, a type and an answer", () => {
  const { lines, errors } = scan(
    [
      "www 300 A 192.0.2.1",
      "@ MX 10 mail.example.com.",
      "; a comment",
      "",
      "mail.example.com. IN 5m A 192.0.2.2",
      "_dmarc  TXT  v=DMARC1;  p=none",
      '@ CAA 0 issue "le.example; a=b"',
      "300 A 192.0.2.3",
    ].join("\n"),
  );
  expect(errors).toEqual([]);
  expect(lines).toEqual([
    { number: 1, domain: "www.example.com", type: "A", ttl: 300, answer: ["192.0.2.1"] },
    { number: 2, domain: "example.com", type: "MX", ttl: undefined, answer: [10, "mail.example.com."] },
    { number: 5, domain: "mail.example.com", type: "A", ttl: 300, answer: ["192.0.2.2"] },
    { number: 6, domain: "_dmarc.example.com", type: "TXT", ttl: undefined, answer: ["v=DMARC1;  p=none"] },
    { number: 7, domain: "example.com", type: "CAA", ttl: undefined, answer: [0, "issue", "le.example; a=b"] },
    { number: 8, domain: "300.example.com", type: "A", ttl: undefined, answer: ["192.0.2.3"] },
  ]);
});

test("each wrong line is named by its number", () => {
  const { lines, errors } = scan("www\nA 192.0.2.1\nwww FOO x\nwww A\nok A 192.0.2.1");
  expect(lines.map(({ number }) => number)).toEqual([5]);
  expect(errors.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});

test("lines of one record are one edit, and are added to the answers that it has", () => {
  const { lines } = scan("new A 192.0.2.1\nnew 300 A 192.0.2.2\nold A 192.0.2.3");
  const edits = editsOf("example.com", lines, [row("old.example.com", "A")]);
  expect(edits.map(({ edit }) => edit)).toEqual([
    {
      ...{ action: "create", zone: "example.com", domain: "new.example.com", type: "A", ttl: 300 },
      answers: [{ answer: ["192.0.2.1"] }, { answer: ["192.0.2.2"] }],
    },
    {
      ...{ action: "update", zone: "example.com", domain: "old.example.com", type: "A" },
      answers: [{ answer: ["192.0.2.9"], id: "a" }, { answer: ["192.0.2.3"] }],
    },
  ]);
  expect(lineOf("records[0].answers[1].address", edits)).toBe(2);
  expect(lineOf("records[1].answers[1]", edits)).toBe(3);
  expect(lineOf("records[1].ttl", edits)).toBe(3);
  expect(lineOf("zones[0]", edits)).toBeUndefined();
});

test("steered and linked records take no line", () => {
  const { lines } = scan("s A 192.0.2.1\nl A 192.0.2.1\nfree A 192.0.2.1");
  const rows = [
    row("s.example.com", "A", { isSteered: true }),
    row("l.example.com", "A", { link: "other.example.com" }),
    row("free.example.com", "A"),
  ];
  expect(refusedLines(lines, rows).map(({ number }) => number)).toEqual([1, 2]);
});
