/** Primaries that do not serve the zone: each answers in its own way, the reason is shown, and the next server is asked. */
import { describe, expect, test } from "vitest";
import { answerTo, record, type Script, scriptedPrimary, soa } from "../../../../test/network/scripted-primary.ts";
import { startApi } from "../../../../test/service/api.ts";
import { patience, secondaryZones, slowly, www } from "../../../../test/service/secondary-zones.ts";
import { Rcode, rcodeName, TypeCode } from "../../../dns/wire/constants.ts";

const limits = { message: 2500, transfer: 20_000 };
const api = await startApi({ pullLimits: limits });
const { transferredZone, refreshing, secondaryOf, names } = secondaryZones(api);

const flags = { answer: 0x8000, authoritative: 0x0400, truncated: 0x0200 };
type Asked = (fqdn: string) => Partial<Script>;

const questions: readonly [string, RegExp, Asked][] = [
  ...Array.from({ length: 15 }, (_, i) => i + 1).map((rcode): [string, RegExp, Asked] => [
    `RCODE ${rcode}`,
    new RegExp(`port \\d+: answered the SOA query with ${rcodeName(rcode)}$`),
    () => ({ udp: (query) => answerTo(query, [], { rcode }) }),
  ]),
  [
    "an answer that is not authoritative",
    /does not serve the zone/,
    (z) => ({ udp: (query) => answerTo(query, [soa(z, 11)], { flags: flags.answer }) }),
  ],
  ["no records", /does not serve the zone/, () => ({ udp: (query) => answerTo(query, []) })],
  [
    "the SOA record of another zone",
    /does not serve the zone/,
    () => ({ udp: (query) => answerTo(query, [soa("example.", 11)]) }),
  ],
  [
    "TC over UDP and over TCP",
    /sent a truncated answer over TCP/,
    () => ({ udp: (query) => answerTo(query, [], { flags: flags.answer | flags.authoritative | flags.truncated }) }),
  ],
  ["half a header", /./, () => ({ udp: (query) => query.slice(0, 6) })],
];

const requests = Object.entries(Rcode)
  .filter(([, code]) => code > 0 && code < 16)
  .map(([name, rcode]): [string, RegExp, Asked] => [
    `${name} to the transfer request`,
    new RegExp(`answered with ${name}$`),
    () => ({ transfer: (query) => [answerTo(query, [], { rcode })] }),
  ]);

const wholeOf = (fqdn: string, serial: number) => [soa(fqdn, serial), www(fqdn), soa(fqdn, serial)];

describe.concurrent("a server that does not serve the zone answers with", () => {
  test.for([...questions, ...requests])("%s", async ([, reason, script], { expect }) => {
    const { zone, fqdn } = await transferredZone(script);
    const error = refreshing(zone, async () => (await secondaryOf(zone))["error"]);
    await expect.poll(error, slowly).toMatch(reason);
    expect([(await secondaryOf(zone))["expired"], await names(zone)]).toEqual([false, [`${zone} NS`]]);
    const next = await scriptedPrimary({
      soa: soa(fqdn, 20),
      transfer: (query) => [answerTo(query, wholeOf(fqdn, 20))],
    });
    const more = { other_ips: ["127.0.0.1"], other_ports: [next.port] };
    const turn = async () => {
      await api.call("POST", `zones/${zone}`, { secondary: more });
      return await names(zone);
    };
    await expect.poll(turn, slowly).toEqual([`www.${zone} A`]);
    await expect.poll(() => secondaryOf(zone), patience).toMatchObject({ status: "ok", error: null });
  });
});

test("after a truncated SOA answer over UDP, the serial is asked for over TCP", async () => {
  const { zone } = await transferredZone((z) => ({
    udp: (query, transport) =>
      transport === "udp"
        ? answerTo(query, [], { flags: flags.answer | flags.truncated })
        : answerTo(query, [soa(z, 11)]),
    transfer: (query) => [answerTo(query, wholeOf(z, 11))],
  }));
  const shown = refreshing(zone, () => names(zone));
  await expect.poll(shown, slowly).toEqual([`www.${zone} A`]);
});

test("a server without differences answers a request for them with the whole zone", async () => {
  const { zone, primary } = await transferredZone((z) => ({
    transfer: (query) => [answerTo(query, [soa(z, 11), record(`a.${z} 60 A 192.0.2.7`), soa(z, 11)])],
  }));
  const shown = refreshing(zone, () => names(zone));
  await expect.poll(shown, slowly).toEqual([`a.${zone} A`]);
  expect(primary.asked).toEqual([TypeCode.AXFR, TypeCode.IXFR]);
});
