/** The image compared with a Map: after any changes, a reader sees exactly what was committed before it entered. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import { zoneOf } from "../../../test/scenarios/image.ts";
import { typeNamed } from "../../dns/type-names.ts";
import { TypeCode } from "../../dns/wire/constants.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { flagCut, flagDname, flagWildcardBelow } from "./memory/layout.ts";
import { ImageReader } from "./reader.ts";
import { RrsetView, ttlOf } from "./rrset/view.ts";
import { ImageWriter } from "./writer/writer.ts";

/** The second zone is inside the first. */
const zones = ["example", "a.example"];
const letters = ["a", "b", "c", "d", "*"];
const owners = [
  "",
  ...letters,
  ...letters.flatMap((x) => letters.map((y) => `${x}.${y}`)),
  "a.b.c",
  "*.*.*",
  "d.c.b.a",
];
const answers: Readonly<Record<string, readonly unknown[]>> = {
  A: ["192.0.2.1"],
  TXT: ["x".repeat(200)],
  NS: ["ns.example."],
  CNAME: ["b.example."],
  DNAME: ["c.example."],
};
const mnemonics = Object.keys(answers);

/** Zone -> owner and type -> TTL; the serial has the key ` SOA`. */
type Model = Map<string, Map<string, number>>;
const copy = (model: Model): Model => new Map([...model].map(([zone, records]) => [zone, new Map(records)]));
const domainOf = (zone: string, owner: string) => (owner === "" ? zone : `${owner}.${zone}`);

interface Change {
  readonly kind: "put" | "remove" | "zone" | "drop" | "serial" | "commit" | "tidy" | "pin" | "unpin";
  readonly zone: string;
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant("put" as const) },
    { weight: 8, arbitrary: fc.constant("remove" as const) },
    { weight: 4, arbitrary: fc.constant("commit" as const) },
    { weight: 2, arbitrary: fc.constant("tidy" as const) },
    { weight: 2, arbitrary: fc.constantFrom("pin" as const, "unpin" as const, "serial" as const, "zone" as const) },
    { weight: 1, arbitrary: fc.constant("drop" as const) },
  ),
  zone: fc.constantFrom(...zones),
  owner: fc.constantFrom(...owners),
  type: fc.constantFrom(...mnemonics),
  ttl: fc.nat(2 ** 31),
});

/** Every name according to a model: `-` if it does not exist, otherwise its flags and RRsets. */
function expected(model: Model): string[] {
  return zones.flatMap((zone) => {
    const records = model.get(zone);
    if (!records) return [`${zone} -`];
    const names = new Set([...records.keys()].flatMap((key) => ancestors(key.split(" ")[0]!)));
    return owners.map((owner) => {
      if (!names.has(owner)) return `${owner}.${zone} -`;
      const types = mnemonics.filter((type) => records.has(`${owner} ${type}`));
      const flags = [
        owner !== "" && types.includes("NS") ? "cut" : "",
        types.includes("DNAME") ? "dname" : "",
        names.has(owner === "" ? "*" : `*.${owner}`) ? "wildcard" : "",
      ];
      const rrsets = types.map((type) => `${type} ${records.get(`${owner} ${type}`)}`);
      const serial = owner === "" ? ` serial ${records.get(" SOA")}` : "";
      return `${owner}.${zone} ${flags.join("|")} ${rrsets.join(", ")}${serial}`;
    });
  });
}

/** A name and its ancestors in its zone. */
function ancestors(owner: string): string[] {
  const labels = owner === "" ? [] : owner.split(".");
  return [...labels.map((_, i) => labels.slice(i).join(".")), ""];
}

/** Every name according to a reader, in the same form. */
function seen(reader: ImageReader): string[] {
  const key = reader.key();
  const view = new RrsetView();
  return zones.flatMap((zone) => {
    key.load(nameFromApi(zone), 0);
    const entry = reader.findZone(0, key, 0);
    if (entry === 0 || reader.apex !== 0) return [`${zone} -`];
    const data = reader.dataOf(entry);
    return owners.map((owner) => {
      key.load(nameFromApi(domainOf(zone, owner)), 0);
      const apex = owner === "" ? 0 : owner.split(".").length;
      key.fold(data, apex);
      const node = reader.findNode(data, key, 0, apex);
      if (node === 0) return `${owner}.${zone} -`;
      const flags = [
        reader.has(node, flagCut) ? "cut" : "",
        reader.has(node, flagDname) ? "dname" : "",
        reader.has(node, flagWildcardBelow) ? "wildcard" : "",
      ];
      if (flags[0] || flags[1]) expect(reader.hasCuts(data)).toBe(true);
      expect(reader.findWildcard(data, key, 0, apex) !== 0).toBe(flags[2] !== "");
      const rrsets = mnemonics
        .map((type) => (reader.find(node, typeNamed(type)!.code, view) ? `${type} ${ttlOf(view)}` : ""))
        .filter((text) => text !== "");
      const serial = reader.find(node, TypeCode.SOA, view) ? ` serial ${serialOf(view)}` : "";
      return `${owner}.${zone} ${flags.join("|")} ${rrsets.join(", ")}${serial}`;
    });
  });
}

const serialOf = ({ octets, end }: RrsetView) => Buffer.from(octets).readUInt32BE(end - 20);

const smallest = 512;
const empty = ImageWriter.create().stats().octets;

class Run {
  /** With small segments; released memory is overwritten, so that whoever reads it sees nonsense. */
  readonly writer = ImageWriter.create({
    smallest,
    dropMemory: (memory) => void new Uint8Array(memory).fill(0xff),
  });
  readonly staged: Model = new Map();
  /** Records that came before their zone in this change set. */
  readonly early: Model = new Map();
  committed: Model = new Map();
  readonly free = this.#reader(0);
  readonly pinned: { readonly reader: ImageReader; readonly expected: string[] }[] = [];

  do({ kind, zone, owner, type, ttl }: Change): void {
    const records = this.staged.get(zone);
    if (kind === "zone") {
      this.writer.putZone(zoneOf(zone), ttl);
      this.staged.set(zone, (records ?? this.early.get(zone) ?? new Map()).set(" SOA", ttl));
      this.early.delete(zone);
    } else if (kind === "drop") {
      this.writer.removeZone(zone);
      this.staged.delete(zone);
      this.early.delete(zone);
    } else if (kind === "serial") {
      this.writer.setSerial(zone, ttl);
      records?.set(" SOA", ttl);
    } else if (kind === "put") {
      this.writer.putRecord(recordOf(zone, owner, type, ttl));
      const early = records ?? this.early.get(zone) ?? new Map();
      early.set(`${owner} ${type}`, ttl);
      if (!records) this.early.set(zone, early);
    } else if (kind === "remove") {
      this.writer.removeRecord(zone, domainOf(zone, owner), type);
      (records ?? this.early.get(zone))?.delete(`${owner} ${type}`);
    } else if (kind === "commit") {
      this.writer.commit();
      this.committed = copy(this.staged);
      this.early.clear();
    } else if (kind === "tidy") {
      this.do({ kind: "commit", zone, owner, type, ttl });
      this.writer.tidy(1 + (ttl % 200));
    } else if (kind === "pin" && this.pinned.length < 3) {
      const reader = this.#reader(this.pinned.length + 1);
      reader.enter();
      this.pinned.push({ reader, expected: expected(this.committed) });
    } else if (kind === "unpin") this.pinned.pop()?.reader.leave();
  }

  check(): void {
    this.free.enter();
    expect(seen(this.free)).toEqual(expected(this.committed));
    this.free.leave();
    for (const { reader, expected } of this.pinned) expect(seen(reader)).toEqual(expected);
  }

  /** Removes zones and readers; afterwards too little memory remains in use to start a compaction. */
  end(): void {
    for (const { reader } of this.pinned) reader.leave();
    for (const zone of zones) this.writer.removeZone(zone);
    this.writer.commit();
    while (this.writer.tidy(1000));
    expect(this.writer.stats()).toMatchObject({ zones: 0, records: 0, waiting: 0 });
    expect(this.writer.stats().octets).toBeLessThan(empty + 8 * smallest);
  }

  #reader(slot: number): ImageReader {
    const reader: ImageReader = new ImageReader(this.writer.share(), slot, () => reader.update(this.writer.share()));
    return reader;
  }
}

const recordOf = (zone: string, owner: string, type: string, ttl: number) => ({
  zone_id: zone,
  domain: domainOf(zone, owner),
  type,
  ttl,
  answers: [{ answer: answers[type]! }],
  override_ttl: false,
  override_address_records: false,
});

test("readers see the state at their entry while changes are staged, committed and reclaimed", () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 10, maxLength: 150, size: "max" }), (changes) => {
      const run = new Run();
      for (const zone of zones) run.do({ kind: "zone", zone, owner: "", type: "A", ttl: 1 });
      for (const each of changes) {
        run.do(each);
        if (["commit", "tidy", "pin"].includes(each.kind)) run.check();
      }
      run.do({ kind: "commit", zone: "", owner: "", type: "", ttl: 0 });
      run.check();
      run.end();
    }),
    runs(150),
  );
}, 60_000);
