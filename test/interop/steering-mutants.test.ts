/** Mutants of steering: each is patched into a copy of the sources, and a short run must detect it. */
import type { Mutant } from "../machine/patched.ts";
import { testMutants } from "./mutants.ts";

const answer = "src/answer";
const filters = `${answer}/filters`;

const mutants: readonly Mutant[] = [
  {
    what: "an answer without a value of up is treated as up",
    file: `${filters}/up.ts`,
    from: "up.at(selection.answer(i)) === 1",
    to: "up.at(selection.answer(i)) !== 0",
  },
  {
    what: "a fence drops untagged answers also when none matches",
    file: `${filters}/parts/fence.ts`,
    from: "const keepsUntagged = !dropsUntagged || !isMatched;",
    to: "const keepsUntagged = !dropsUntagged;",
  },
  {
    what: "a state is any part of any country",
    file: `${filters}/parts/areas.ts`,
    from: "!places.hasPartsOf(client.country())) continue;\n      if (places.hasPart(client.country(), client.subdivision())) return true;",
    to: `client.subdivision() === "") continue;
      const ending = [0, 1, 2].reduce((sum, i) => sum * 256 + (client.subdivision().charCodeAt(i) || 0), 0);
      for (let i = 0; i < places.count; i++) if (places.place(i) % 2 ** 24 === ending) return true;`,
  },
  {
    what: "the client's own state is no nearer than its country",
    file: `${filters}/geotarget-country.ts`,
    from: "keys[rank] = -here - 1;",
    to: "keys[rank] = -here;",
  },
  {
    what: "the farthest region comes first",
    file: `${filters}/geotarget-regional.ts`,
    from: "-nearest(middles([region]), 0, own)",
    to: "nearest(middles([region]), 0, own)",
  },
  {
    what: "priority never eliminates",
    file: `${filters}/parts/lowest.ts`,
    from: "return eliminate ? keepLowest(id, record) : sortByLowest(id, record);",
    to: "return keepLowest === undefined || eliminate === undefined ? keepLowest(id, record) : sortByLowest(id, record);",
  },
  {
    what: "a draw by weight may begin with weight 0",
    file: `${filters}/parts/draw.ts`,
    from: "(weight > 0 ? -Math.log(1 - uniform) / weight : Number.NaN)",
    to: "-Math.log(1 - uniform) / (weight > 0 ? weight : 1)",
  },
  {
    what: "load is shed below the low watermark",
    file: `${filters}/shed-load.ts`,
    from: "load > low && load <= high",
    to: "load <= high",
  },
  {
    what: "the region's metadata go before the answer's",
    file: `${filters}/contract/columns.ts`,
    from: `["answer", answer.meta] as const,`,
    to: `["region", region] as const, ["answer", answer.meta] as const,`,
  },
  {
    what: "the values of a feed are used after its max_age",
    file: `${answer}/live/table.ts`,
    from: "expiryOf(at, max_age);",
    to: "expiryOf(at, null);",
  },
  {
    what: "a filter with disabled as text runs",
    file: `${answer}/model/steering-settings.ts`,
    from: `isYes(filter["disabled"])`,
    to: `filter["disabled"] === true`,
  },
  {
    what: "a record that does not use the client subnet has a scope",
    file: `${answer}/chain/steering.ts`,
    from: "const hasSubnet = usesSubnet && edns.ecsOctets > ecsHead;",
    to: "const hasSubnet = edns.ecsOctets > ecsHead;",
  },
  {
    what: "the scope of a prefix fence is a bit short",
    file: `${answer}/lists/prefixes.ts`,
    from: "Math.clz32(this.#start(low) ^ address) : -1;\n    return this.#decide(1 + Math.max(before, after), false);",
    to: "Math.clz32(this.#start(low) ^ address) : -1;\n    return this.#decide(Math.max(before, after), false);",
  },
  {
    what: "the scope of a sticky answer is a bit short",
    file: `${filters}/contract/client.ts`,
    from: `this.#noted("network", hash, bits)`,
    to: `this.#noted("network", hash, bits - 1)`,
  },
  {
    what: "the scope forgets the files that did not know the client",
    file: "src/geo/decision.ts",
    from: "length = Math.max(length, depth);",
    to: "length = depth;",
  },
  {
    what: "what is known of one client is taken for all of its /24",
    file: "src/geo/geo.ts",
    from: "if (deepest(found) <= block4)",
    to: "if (deepest(found) <= 32)",
  },
  {
    what: "a narrower override inherits a place in another country",
    file: "src/geo/files/overrides.ts",
    from: "...(moves ? {} : place),",
    to: "...(moves && own === wider ? {} : place),",
  },
];

testMutants("the test of steering", "test/interop/steering/run.ts", mutants);
