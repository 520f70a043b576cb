/** Linked zones: each is answered like its target, under its own names, after any changes of both. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordsOf, TestImage, zoneOf } from "../../../../test/scenarios/image.ts";

const target = "target.example";
const link = "link.test";
const records = [
  "@ 60 MX 10 mail",
  "@ 60 NS ns1.example.net.",
  "www 60 A 192.0.2.1",
  "*.wild 60 TXT x",
  "alias 60 CNAME www",
  "d 60 DNAME elsewhere.example.net.",
  "cut 60 NS ns.example.net.",
];
const questions = ["@ MX", "@ SOA", "@ A", "www A", "www TXT", "none A", "a.wild TXT", "alias A", "x.d A", "x.cut A"];

const putLink = (image: TestImage, zone = link, to: string | null = target) => {
  image.writer.putZone(zoneOf(zone, { link: to }), 1);
  image.writer.commit();
};

/** The answers to questions in a zone, printed as if their owner names were in the target. */
const below = (image: TestImage, zone: string, asked: readonly string[] = questions) =>
  asked.map((question) => {
    const [name, type] = question.split(" ");
    const { rcode, answer, authority } = image.ask(`${name === "@" ? "" : `${name}.`}${zone}. ${type}`);
    const owner = new RegExp(`^(\\S*?)${zone.replaceAll(".", "\\.")}\\. `);
    const lines = [...answer, ...authority].map((line) => line.replace(owner, `$1${target}. `));
    return [question, rcode, ...lines];
  });

test("a linked zone is answered like its target", () => {
  const image = new TestImage().put(target, records);
  putLink(image);
  expect(below(image, link)).toEqual(below(image, target));
  expect(image.ask(`www.${link}. A`).answer).toEqual([`www.${link}. 60 A 192.0.2.1`]);
});

test("a change of the target is visible in all linked zones with the same commit", () => {
  const image = new TestImage().put(target, records);
  const links = Array.from({ length: 50 }, (_, i) => `link${i}.test`);
  for (const zone of links) putLink(image, zone);
  for (const record of recordsOf(target, ["www 60 A 192.0.2.2", "new 60 A 192.0.2.3"])) image.writer.putRecord(record);
  image.writer.setSerial(target, 7);
  image.writer.commit();
  const asked = ["www A", "new A", "@ SOA"];
  for (const zone of links) expect(below(image, zone, asked)).toEqual(below(image, target, asked));
});

test("a linked zone may be added before its target", () => {
  const image = new TestImage();
  putLink(image);
  expect(image.ask(`www.${link}. A`).rcode).toBe("REFUSED");
  image.put(target, records);
  expect(below(image, link)).toEqual(below(image, target));
});

test("without its target, a linked zone is refused, until the target is added again", () => {
  const image = new TestImage().put(target, records);
  putLink(image);
  image.writer.removeZone(target);
  image.writer.commit();
  for (const question of [`${link}. MX`, `${link}. SOA`, `www.${link}. A`]) {
    expect(image.ask(question).rcode).toBe("REFUSED");
  }
  image.put(target, ["www 60 A 192.0.2.9"]);
  expect(image.ask(`www.${link}. A`).answer).toEqual([`www.${link}. 60 A 192.0.2.9`]);
});

test("a zone of another account is no target, in either order, and does not keep a zone of the own account from being it", () => {
  const theirs = { account_id: "other" };
  const image = new TestImage().put(target, records, theirs);
  putLink(image);
  expect(image.ask(`www.${link}. A`).rcode).toBe("REFUSED");
  image.writer.removeZone(target);
  image.put(target, records, { ...theirs, id: "again" });
  expect(image.ask(`www.${link}. A`).rcode).toBe("REFUSED");
  image.writer.removeZone("again");
  image.put(target, records);
  expect(below(image, link)).toEqual(below(image, target));
});

test("a target that is replaced by a linked zone is not followed, and is followed again once it is an ordinary zone", () => {
  const image = new TestImage().put("end.example", records).put(target, records);
  putLink(image);
  image.writer.putZone(zoneOf(target, { id: "linked", link: "end.example" }), 1);
  image.writer.commit();
  expect(image.ask(`www.${target}. A`).rcode).toBe("NOERROR");
  expect(image.ask(`www.${link}. A`).rcode).toBe("REFUSED");
  image.put(target, records);
  expect(below(image, link)).toEqual(below(image, target));
});

test("new contents of the target are visible in the linked zone", () => {
  const image = new TestImage().put(target, records);
  putLink(image);
  const contents = image.writer.beginContents(target, target);
  image.writer.putContents(target, contents);
  image.writer.commit();
  expect(below(image, link)).toEqual(below(image, target));
  expect(image.ask(`www.${link}. A`).rcode).toBe("NXDOMAIN");
});

test("a zone stays disabled or expired when it gets new contents", () => {
  for (const [state, rcode] of [
    [{ disabled: true }, "REFUSED"],
    [{ expired: true }, "SERVFAIL"],
  ] as const) {
    const image = new TestImage().put(target, records, state);
    image.writer.putContents(target, image.writer.beginContents(target, target));
    image.writer.commit();
    expect(image.ask(`www.${target}. A`).rcode).toBe(rcode);
  }
});

test("a zone that is linked no more is disabled, expired or hidden as the same change says", () => {
  const states = [
    [{ disabled: true }, "REFUSED"],
    [{ expired: true }, "SERVFAIL"],
    [{ hidden: true }, "REFUSED"],
    [{}, "NXDOMAIN"],
  ] as const;
  for (const [state, rcode] of states) {
    const image = new TestImage().put(target, records);
    putLink(image);
    image.writer.putZone(zoneOf(link, state), 1);
    image.writer.commit();
    expect([state, image.ask(`www.${link}. A`).rcode]).toEqual([state, rcode]);
  }
});

test("a linked zone is not answered if it or its target is disabled, or its target shut; other networks have no such effect", () => {
  const image = new TestImage().put(target, records, { elsewhere: true });
  putLink(image);
  expect([image.ask(`www.${link}. A`).rcode, image.ask(`www.${target}. A`).rcode]).toEqual(["NOERROR", "REFUSED"]);
  image.writer.putZone(zoneOf(target, { disabled: true }), 1);
  image.writer.commit();
  expect([image.ask(`www.${link}. A`).rcode, image.ask(`www.${target}. A`).rcode]).toEqual(["REFUSED", "REFUSED"]);
  image.writer.putZone(zoneOf(target), 1);
  image.writer.setShut(target, true);
  image.writer.commit();
  expect(image.ask(`www.${link}. A`).rcode).toBe("SERVFAIL");
  image.writer.setShut(target, false);
  image.writer.putZone(zoneOf(link, { link: target, disabled: true }), 1);
  image.writer.commit();
  expect(image.ask(`www.${link}. A`).rcode).toBe("REFUSED");
});

test("a linked zone takes less than 10 kB, with any number of records in its target", () => {
  const image = new TestImage().put(
    target,
    Array.from({ length: 2000 }, (_, i) => `h${i} 60 A 192.0.2.1`),
  );
  const used = () => image.writer.stats().octets - image.writer.stats().free;
  const before = used();
  for (let i = 0; i < 100; i++) putLink(image, `link${i}.test`);
  while (image.writer.tidy(1000)) {}
  expect((used() - before) / 100).toBeLessThan(10_000);
});

test("linked zones and targets that are added and removed in any order are answered correctly", () => {
  const zones = ["a.test", "b.test", "c.test"] as const;
  const step = fc.record({
    link: fc.constantFrom(...zones),
    to: fc.constantFrom(target, "other.example", null, "gone"),
  });
  const targetStep = fc.constantFrom("put", "remove", "replace");
  fc.assert(
    fc.property(fc.array(fc.oneof(step, targetStep), { maxLength: 30 }), (steps) => {
      const image = new TestImage().put("other.example", ["www 60 A 192.0.2.77"]);
      const links = new Map<string, string | null>();
      let isThere = false;
      for (const one of steps) {
        if (one === "put") image.put(target, records);
        else if (one === "remove") image.writer.removeZone(target);
        else if (one === "replace") {
          if (isThere) image.writer.putContents(target, image.writer.beginContents(target, target));
          if (isThere) image.put(target, records);
        } else if (one.to === "gone") {
          image.writer.removeZone(one.link);
          links.delete(one.link);
        } else {
          putLink(image, one.link, one.to);
          links.set(one.link, one.to);
        }
        if (one === "put") isThere = true;
        if (one === "remove") isThere = false;
        image.writer.commit();
        image.writer.tidy(50);
        for (const [zone, to] of links) {
          const { rcode, answer } = image.ask(`www.${zone}. A`);
          const address = to === "other.example" ? "192.0.2.77" : to === target && isThere ? "192.0.2.1" : undefined;
          const none = to === null ? "NXDOMAIN" : "REFUSED";
          expect([rcode, answer]).toEqual(address ? ["NOERROR", [`www.${zone}. 60 A ${address}`]] : [none, []]);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("zones linked to an expired target are answered with SERVFAIL", () => {
  const image = new TestImage().put(target, records);
  putLink(image);
  image.writer.putZone(zoneOf(target, { expired: true }), 1);
  image.writer.commit();
  expect(below(image, link, ["www A"])).toEqual(below(image, target, ["www A"]));
  expect(image.ask(`www.${link}. A`).rcode).toBe("SERVFAIL");
  putLink(image, "later.test");
  expect(image.ask("www.later.test. A").rcode).toBe("SERVFAIL");
  image.writer.putZone(zoneOf(target), 1);
  image.writer.commit();
  expect([image.ask(`www.${link}. A`).rcode, image.ask("www.later.test. A").rcode]).toEqual(["NOERROR", "NOERROR"]);
});
