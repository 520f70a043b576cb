/** Answers from 10,000 wildcards, each for many names. */
import { bench } from "./kit/bench.ts";
import { compare } from "./kit/compare.ts";
import { address, apex } from "./kit/zone.ts";
import { bind } from "./peers/bind.ts";
import { gdnsd } from "./peers/gdnsd.ts";
import { knot } from "./peers/knot.ts";
import { nsd } from "./peers/nsd.ts";

await bench((scale) => {
  const wildcards = scale(10_000, 100);
  const zone = {
    apex,
    *records() {
      for (let i = 0; i < wildcards; i++) yield { domain: `*.w${i}.${apex}`, type: "A", answers: [address(i)] };
    },
  };
  const question = (random: number) => {
    const drawn = Math.floor(random * wildcards * 1000);
    return `x${drawn}.w${drawn % wildcards}.${apex} A`;
  };
  return compare({ name: "wildcard", zone, question, peers: [nsd, knot, bind, gdnsd] }, scale);
});
