/** Names that do not exist, in a zone of 100,000 addresses. */
import { bench } from "./kit/bench.ts";
import { compare } from "./kit/compare.ts";
import { apex, hostsZone } from "./kit/zone.ts";
import { bind } from "./peers/bind.ts";
import { gdnsd } from "./peers/gdnsd.ts";
import { knot } from "./peers/knot.ts";
import { nsd } from "./peers/nsd.ts";

await bench((scale) => {
  const question = (random: number) => `x${Math.floor(random * 1e9)}.${apex} A`;
  const zone = hostsZone(scale(100_000, 1000));
  return compare({ name: "nxdomain", zone, question, peers: [nsd, knot, bind, gdnsd] }, scale);
});
