/** Referrals with glue: 10,000 delegated names, each with two name servers below them. */
import { bench } from "./kit/bench.ts";
import { compare } from "./kit/compare.ts";
import { apex, delegations } from "./kit/zone.ts";
import { bind } from "./peers/bind.ts";
import { gdnsd } from "./peers/gdnsd.ts";
import { knot } from "./peers/knot.ts";
import { nsd } from "./peers/nsd.ts";

await bench((scale) => {
  const cuts = scale(10_000, 100);
  const zone = { apex, records: () => delegations(cuts) };
  const question = (random: number) => `www.d${Math.floor(random * cuts)}.${apex} A`;
  return compare({ name: "delegation", zone, question, peers: [nsd, knot, bind, gdnsd] }, scale);
});
