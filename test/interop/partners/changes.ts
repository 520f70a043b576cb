/** Random changes of a zone: records of all types, at names where they may coexist. */

import { isSingle } from "../../../src/answer/image/rrset/rrset.ts";
import { ipv4, ipv6 } from "../../../src/dns/rdata/addresses.ts";
import { rdataFromApi } from "../../../src/dns/rdata/codec.ts";
import type { ApiPart, FieldKind } from "../../../src/dns/rdata/kind.ts";
import { compressedName, name } from "../../../src/dns/rdata/names.ts";
import { u16 } from "../../../src/dns/rdata/numbers.ts";
import { characterString, characterStrings, filledText, remainingText } from "../../../src/dns/rdata/text.ts";
import { typeNamed } from "../../../src/dns/type-names.ts";
import type { Random } from "../../../src/lib/random.ts";
import { seededRandom } from "../../machine/random.ts";
import { type Sample, samples } from "../samples.ts";
import type { Change } from "./program.ts";

/** A change, and the answers that the API gets for it. */
export interface RandomChange extends Change {
  readonly answers: readonly (readonly ApiPart[])[];
}

/** Returns a function that makes the next change; each change has an effect. */
export function changerOf(seed: number, zone: string): () => RandomChange {
  const random = seededRandom(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const there = new Map<string, RandomChange>();
  // BIND removes DS records where there is no cut
  let first: RandomChange | undefined = cutFor(zone);
  return () => {
    if (first) {
      const change = first;
      first = undefined;
      return change;
    }
    const old = [...there.values()][pick(there.size)];
    if (old && random() < 0.25) {
      there.delete(placeOf(old));
      return { ...old, rdata: [], answers: [] };
    }
    for (;;) {
      const change = changeTo(samples[pick(samples.length)]!, zone, random);
      const before = there.get(placeOf(change));
      if (before && says(before) === says(change)) continue;
      there.set(placeOf(change), change);
      return change;
    }
  };
}

function changeTo(sample: Sample, zone: string, random: Random): RandomChange {
  const pick = (count: number) => Math.floor(random() * count);
  const type = typeNamed(sample.type)!;
  const answers = answersFor(sample, 1 + pick(3), pick);
  const rdata = answers.map((answer) => rdataFromApi(type, answer));
  return { zone, domain: ownerOf(sample.type, zone, pick), type, ttl: 60 + pick(5), rdata, answers };
}

const secure = (zone: string) => `secure.${zone}`;

function cutFor(zone: string): RandomChange {
  const [type, answers] = [typeNamed("NS")!, [["ns1.example.net."]]];
  const rdata = answers.map((answer) => rdataFromApi(type, answer));
  return { zone, domain: secure(zone), type, ttl: 60, rdata, answers };
}

const says = ({ ttl, answers }: RandomChange) => `${ttl} ${answers.map((answer) => JSON.stringify(answer)).sort()}`;

type Pick = (count: number) => number;

const placeOf = ({ domain, type }: Change) => `${domain} ${type.name}`;

/** Types that allow no other type at their name, or no names below it, have separate names. */
function ownerOf(type: string, zone: string, pick: Pick): string {
  switch (type) {
    case "CNAME":
      return `alias${pick(3)}.${zone}`;
    case "DNAME":
      return `branch${pick(3)}.${zone}`;
    case "DS":
      return secure(zone);
    case "NS":
      return `cut${pick(3)}.${zone}`;
    default: {
      const owners = [zone, `*.wild.${zone}`, `ns.cut${pick(3)}.${zone}`, ...names.map((each) => `${each}.${zone}`)];
      return owners[pick(owners.length)]!;
    }
  }
}

const names = ["a", "b", "c.d", "e.f.g", "_x._tcp", "long".repeat(15), "0"];

/** Up to `count` answers, all different. */
function answersFor({ type, answer }: Sample, count: number, pick: Pick): ApiPart[][] {
  const many = isSingle(typeNamed(type)!.code) ? 1 : count;
  const all = Array.from({ length: many }, () => varied(type, answer, pick(0x10000)));
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

/** The sample with other values in fields that accept any; fields such as flags and checksums are unchanged. */
function varied(type: string, answer: Sample["answer"], n: number): ApiPart[] {
  const { fields } = typeNamed(type)!;
  if (type === "KEY" || type === "RKEY") return [...answer];
  return answer.map((part, i) => {
    const kind = fields[i]?.kind;
    return (kind && values.get(kind)?.(n)) ?? part;
  });
}

const named = (n: number) => `host${n}.example.net.`;
const text = (n: number) => `some text, ${n}`;
const values = new Map<FieldKind, (n: number) => ApiPart>([
  [u16, (n) => n],
  [ipv4, (n) => `192.0.2.${n & 255}`],
  [ipv6, (n) => `2001:db8::${n.toString(16)}`],
  [name, named],
  [compressedName, named],
  [characterString, text],
  [characterStrings, text],
  [filledText, (n) => `https://example.net/${n}`],
  [remainingText, (n) => `ca${n}.example.net`],
]);
