/** Properties of every answer: traces, limits, and compression of names. */
import { describe, expect, test } from "vitest";
import { parseAnswer, queryOf, TestImage } from "../../../test/scenarios/image.ts";
import { Query } from "../../dns/wire/message.ts";
import { scanName } from "../../dns/wire/name.ts";
import { Steering } from "../chain/steering.ts";
import { emptyAtlas, locateNobody, noFeeds } from "../chain/unknown.ts";
import { respond } from "./respond.ts";
import type { TraceStep } from "./trace.ts";
import { Workspace } from "./workspace.ts";

const apex = "example.com";
const links = Array.from({ length: 41 }, (_, i) => `c${i} 60 CNAME c${i + 1}`);
const image = new TestImage().put(apex, [
  "@ 300 NS ns1.example.com.",
  "ns1 300 A 192.0.2.1",
  "*.wild 60 CNAME d.tree",
  "tree 60 DNAME leaves",
  "d.leaves 60 A 192.0.2.4",
  "sub 60 NS ns.sub",
  "ns.sub 60 A 192.0.2.5",
  "grow 60 DNAME x.grow",
  ...links,
  ...Array.from({ length: 50 }, (_, i) => `many 60 MX ${i} mail${i}.hosts`),
  ...Array.from({ length: 50 }, (_, i) => `mail${i}.hosts 60 A 192.0.2.${i}`),
]);

const client = { family: 4, address: Uint8Array.of(192, 0, 2, 99) } as const;
const steering = () => new Steering({ live: noFeeds, locate: locateNobody, atlas: emptyAtlas, seed: 1 });

const mostOctets = 1232;

function reply({ reader }: TestImage, name: string, type: string, trace?: (step: TraceStep) => void): Uint8Array {
  const space = new Workspace(reader, steering());
  const query = new Query();
  const packet = queryOf({ name, type, edns: mostOctets });
  const out = new Uint8Array(2 * mostOctets);
  reader.enter();
  query.parse(packet, 0, packet.length);
  space.message.opt.begin(query);
  space.message.begin(query, out, 0, mostOctets);
  respond(space, query, client, trace);
  const length = space.message.end(query, mostOctets);
  reader.leave();
  return out.slice(0, length);
}

function traced(name: string, type: string) {
  const steps: TraceStep[] = [];
  return {
    untraced: reply(image, name, type),
    traced: reply(image, name, type, (step) => steps.push(step)),
    steps,
  };
}

test("an extended error that does not fit is left out", () => {
  const last = 9;
  const label = (link: number, variant: number) => `l${link}-${variant}-`.padEnd(link === last ? variant : 60, "x");
  const variants = Array.from({ length: 30 }, (_, i) => i + 7);
  const chains = variants.flatMap((variant) => [
    ...Array.from({ length: last }, (_, i) => `${label(i, variant)} 60 CNAME ${label(i + 1, variant)}`),
    `${label(last, variant)} 60 ALIAS elsewhere.test.`,
  ]);
  const zone = new TestImage().put(apex, chains);
  const replies = variants.map((variant) => reply(zone, `${label(0, variant)}.${apex}.`, "A"));
  expect(Math.max(...replies.map(({ length }) => length))).toBe(mostOctets);
  const complete = replies.map(parseAnswer).filter(({ flags }) => !flags.includes("tc"));
  expect(new Set(complete.map(({ rcode, opt }) => `${rcode}, ${opt?.data.length} octets of options`))).toEqual(
    new Set(["SERVFAIL, 6 octets of options", "SERVFAIL, 0 octets of options"]),
  );
});

describe("a trace", () => {
  const questions = ["ns1 A", "ns1 AAAA", "no A", "x.wild A", "x.sub A", "x.tree A", "many MX", "c0 A", "@ ANY"];
  test.each(questions)("changes no octet of the answer to %s", (question) => {
    const [owner, type] = question.split(" ") as [string, string];
    const { untraced, traced: withTrace } = traced(owner === "@" ? `${apex}.` : `${owner}.${apex}.`, type);
    expect(withTrace).toEqual(untraced);
  });

  test("has each look-up along the CNAME chain", () => {
    expect(traced(`x.wild.${apex}.`, "A").steps).toEqual([
      { kind: "lookup", name: scanName(`x.wild.${apex}.`), state: "cname", wildcard: true },
      { kind: "lookup", name: scanName(`d.tree.${apex}.`), state: "dname", wildcard: false },
      { kind: "lookup", name: scanName(`d.leaves.${apex}.`), state: "answer", wildcard: false },
    ]);
  });
});

describe("limits", () => {
  test("16 CNAMEs of a chain are followed, and the rest is left to the client", () => {
    const answer = image.ask(`c0.${apex}. A`);
    expect(answer).toMatchObject({ rcode: "NOERROR", flags: ["aa"], authority: [] });
    expect(answer.answer).toHaveLength(16);
  });

  test("a DNAME that makes ever longer names is followed to the limit", () => {
    const { rcode, answer } = image.ask({ name: `a.grow.${apex}.`, type: "A", edns: 1232 });
    expect(rcode).toBe("NOERROR");
    expect(answer).toHaveLength(17);
    expect(answer.filter((line) => line.includes(" DNAME "))).toHaveLength(1);
  });

  test("an answer with 50 MX records has addresses of at most 16 hosts, and is not truncated when addresses do not fit", () => {
    const small = image.ask({ name: `many.${apex}.`, type: "MX", edns: 1232 });
    expect(small).toMatchObject({ flags: ["aa"] });
    expect(small.answer).toHaveLength(50);
    const whole = image.ask({ name: `many.${apex}.`, type: "MX" }, "tcp");
    expect(whole.additional).toHaveLength(16);
  });
});

describe("compression", () => {
  test("names in RDATA point to the question if they share a suffix with it", () => {
    // Header, question, then an NS record of pointer, 10 octets, label and pointer, and its address
    expect(image.ask(`${apex}. NS`).octets).toHaveLength(12 + 17 + (2 + 10 + 6) + (2 + 10 + 4));
  });

  test("addresses have the hosts of their own answer as owner names, whatever was answered before", () => {
    const zone = [
      "@ 60 MX 10 other.mail",
      "@ 60 MX 20 ns.sub",
      "_x 60 SRV 1 2 3 other.mail",
      "Sub 60 NS NS.sub",
      "sub 60 NS other.mail",
      "ns.sub 60 A 192.0.2.1",
      "other.mail 60 A 192.0.2.2",
    ];
    const hosts = new TestImage().put(apex, zone);
    const ask = (name: string, type: string) => hosts.ask({ name, type, edns: 1232 }).additional;
    const other = "other.mail.example.com. 60 A 192.0.2.2";
    for (let round = 0; round < 2; round++) {
      expect(ask("www.sub.example.com.", "A")).toEqual(["NS.sub.example.com. 60 A 192.0.2.1", other]);
      expect(ask("_x.example.com.", "SRV")).toEqual([other]);
      expect(ask("wWw.sUb.example.com.", "A")).toEqual(["NS.sub.example.com. 60 A 192.0.2.1", other]);
      expect(ask("NS.sub.example.com.", "A")).toEqual(["NS.sub.example.com. 60 A 192.0.2.1", other]);
      expect(ask("example.com.", "MX")).toEqual([other]);
      expect(ask("example.com.", "MX")).toEqual([other]);
    }
  });

  test("a name keeps its case if the question's name is in another case", () => {
    const { answer } = image.ask({ name: "C0.EXAMPLE.COM.", type: "A" });
    expect(answer.slice(0, 2)).toEqual([
      "C0.EXAMPLE.COM. 60 CNAME c1.example.com.",
      "c1.example.com. 60 CNAME c2.example.com.",
    ]);
  });

  test("an SOA record that does not fit uncompressed is compressed", () => {
    const [m, n, o] = ["m", "n", "o"].map((letter) => letter.repeat(63));
    const names = { primary_master: `${m}.${n}.probe.example`, hostmaster: `h@${o}.probe.example` };
    const probe = new TestImage().put("probe.example", [], names);
    const answer = probe.ask(`${`${m}.`.repeat(3)}${"y".repeat(47)}.probe.example. A`);
    expect(answer).toMatchObject({ rcode: "NXDOMAIN", flags: ["aa"] });
    expect(answer.authority).toHaveLength(1);
    expect(answer.octets.length).toBeGreaterThan(490);
  });

  test("names beyond the range of a pointer are written in full", () => {
    const texts = Array.from({ length: 80 }, (_, i) => `long 60 TXT "${i}${"t".repeat(250)}"`);
    const owner = new TestImage().put("far.example", [...texts, "alias 60 CNAME long"]);
    const answer = owner.ask({ name: "alias.far.example.", type: "TXT" }, "tcp");
    expect(answer.answer).toHaveLength(81);
    expect(answer.octets.length).toBeGreaterThan(0x4000);
  });
});
