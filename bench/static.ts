/** Static answers of the whole service over UDP, among 100,000 addresses: at saturation, paced, and with a cookie. */
import { bench } from "./kit/bench.ts";
import { compare } from "./kit/compare.ts";
import { contenderOf, fill, unlimitedService } from "./kit/served.ts";
import { host, hostsZone } from "./kit/zone.ts";
import { bind } from "./peers/bind.ts";
import { gdnsd } from "./peers/gdnsd.ts";
import { knot } from "./peers/knot.ts";
import { nsd } from "./peers/nsd.ts";
import { powerdns } from "./peers/powerdns.ts";

await bench(async (scale) => {
  const hosts = scale(100_000, 1000);
  const zone = hostsZone(hosts);
  const start = async () => {
    const running = await unlimitedService({ flags: ["--workers", "1"] });
    await fill(running, zone);
    return await contenderOf(running);
  };
  const loads = [
    { label: "at saturation" },
    { label: "at saturation, with a cookie", hasCookie: true },
    { label: "at 10,000/s", rate: 10_000 },
    { label: "at 1,000/s", rate: 1000 },
  ];
  const question = (random: number) => `${host(Math.floor(random * hosts))} A`;
  const peers = [nsd, knot, bind, powerdns, gdnsd];
  return await compare({ name: "static", zone, question, peers, loads, start }, scale);
});
