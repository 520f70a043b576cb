/** Linked records: each is answered like its target, for every client and through any changes of both. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordsOf, steeredRecord, TestImage, zoneOf } from "../../../test/scenarios/image.ts";
import { scanName } from "../../dns/wire/name.ts";
import { ImageReader } from "../image/reader.ts";
import { ImageWriter } from "../image/writer/writer.ts";
import { Found, lookup } from "./lookup.ts";

const target = "www.target.example";
const linked = (domain: string, to = target, changes: object = {}) => ({
  ...recordsOf("link.test", [`${domain} 5 A ~ link ${to}`])[0]!,
  ...changes,
});
const steered = steeredRecord("target.example", {
  type: "A",
  use_client_subnet: true,
  answers: [1, 2, 3, 4, 5, 6].map((n) => ({
    answer: [`192.0.2.${n}`],
    region: n % 2 ? "a" : "b",
    meta: { weight: n, up: n !== 3 },
  })),
  regions: { a: {}, b: {} },
  filters: [{ filter: "up" }, { filter: "weighted_sticky" }, { filter: "select_first_n", config: { N: "2" } }],
});

test("a record linked to a steered record has the same answer and scope for each client", () => {
  const image = new TestImage().put("target.example", []).put("link.test", []);
  image.writer.putRecord(steered);
  image.writer.putRecord(linked("www"));
  image.writer.commit();
  const seen = new Set<string>();
  for (let host = 0; host < 60; host++) {
    // a client subnet of 24 bits
    const options = [0, 8, 0, 7, 0, 1, 24, 0, 198, 51, host];
    const asked = ["www.link.test.", `${target}.`].map((name) => image.ask({ name, type: "A", edns: 1232, options }));
    const [link, own] = asked.map(({ answer, opt }) => [answer.map((line) => line.split(" ").slice(1)), opt?.data]);
    expect(link).toEqual(own);
    seen.add(JSON.stringify(link![0]));
  }
  expect(seen.size).toBeGreaterThan(5);
  expect(image.faults).toEqual([]);
});

test("a change of the target is visible in all linked records with the same commit", () => {
  const image = new TestImage().put("target.example", ["www 60 A 192.0.2.1"]).put("link.test", []);
  for (let i = 0; i < 50; i++) image.writer.putRecord(linked(`l${i}`));
  image.writer.commit();
  const ask = () => new Set(Array.from({ length: 50 }, (_, i) => image.ask(`l${i}.link.test. A`).answer[0]?.slice(-9)));
  expect([...ask()]).toEqual(["192.0.2.1"]);
  for (const record of recordsOf("target.example", ["www 60 A 192.0.2.2"])) image.writer.putRecord(record);
  expect([...ask()]).toEqual(["192.0.2.1"]);
  image.writer.commit();
  expect([...ask()]).toEqual(["192.0.2.2"]);
});

test("a linked record takes little memory, with any number of answers in its target", () => {
  const answers = Array.from({ length: 1000 }, (_, i) => `www 60 A 10.0.${i >> 8}.${i & 255}`);
  const image = new TestImage().put("target.example", answers).put("link.test", []);
  const used = () => image.writer.stats().octets - image.writer.stats().free;
  const before = used();
  for (let i = 0; i < 1000; i++) image.writer.putRecord(linked(`l${i}`));
  image.writer.commit();
  while (image.writer.tidy(1000)) {}
  expect((used() - before) / 1000).toBeLessThan(300);
});

test("a fault while a link is followed is blamed on the link's target", () => {
  const writer = ImageWriter.create();
  for (const zone of ["target.example", "link.test"]) writer.putZone(zoneOf(zone), 1);
  writer.putRecord(steered);
  writer.putRecord(linked("www"));
  writer.commit();
  const reader = new ImageReader(writer.share(), 0);
  const found = new Found();
  const key = reader.key();
  key.load(scanName("www.link.test."), 0);
  reader.enter();
  expect(lookup(reader, key, 1, found)).toBe("answer");
  reader.leave();
  const { data, name } = writer.handleOf({ zone_id: "target.example", domain: target })!;
  expect([...found.trail]).toEqual([data, name]);
});

test("linked records are answered with the current state of their target after any changes", () => {
  const lines = ["www 60 A 192.0.2.1", "www 90 A 192.0.2.2", "www 60 AAAA 2001:db8::1"] as const;
  const step = fc.oneof(
    fc.record({ kind: fc.constant("put" as const), line: fc.constantFrom(...lines) }),
    fc.record({ kind: fc.constantFrom("remove", "replace", "zone", "no zone", "close", "link", "unlink", "tidy") }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const image = new TestImage().put("target.example", []).put("link.test", ["www 5 A 192.0.2.99"]);
      const { writer } = image;
      let [held, zone, isLinked] = ["", "open", false];
      for (const one of steps) {
        if (one.kind === "put") {
          for (const record of recordsOf("target.example", [one.line])) if (zone !== "none") writer.putRecord(record);
          if (one.line.includes(" A ") && zone !== "none") held = one.line.replace("www ", "");
        } else if (one.kind === "remove") {
          writer.removeRecord("target.example", target, "A");
          held = "";
        } else if (one.kind === "replace" && zone !== "none") {
          writer.putContents("target.example", writer.beginContents("target.example", "target.example"));
          held = "";
        } else if (one.kind === "zone") {
          writer.putZone(zoneOf("target.example"), 1);
          zone = "open";
        } else if (one.kind === "close" && zone !== "none") {
          writer.putZone(zoneOf("target.example", { disabled: true }), 1);
          zone = "closed";
        } else if (one.kind === "no zone") {
          writer.removeZone("target.example");
          [held, zone] = ["", "none"];
        } else if (one.kind === "link") {
          writer.putRecord(linked("www"));
          isLinked = true;
        } else if (one.kind === "unlink") {
          writer.putRecord(recordsOf("link.test", ["www 5 A 192.0.2.99"])[0]!);
          isLinked = false;
        }
        writer.commit();
        if (one.kind === "tidy") while (writer.tidy(100)) {}
        const expected = !isLinked ? "5 A 192.0.2.99" : zone === "open" ? held : "";
        const { rcode, answer } = image.ask("www.link.test. A");
        expect([rcode, ...answer]).toEqual(["NOERROR", ...(expected ? [`www.link.test. ${expected}`] : [])]);
      }
    }),
    { numRuns: 60 },
  );
});
