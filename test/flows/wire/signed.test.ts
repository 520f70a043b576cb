/** Queries with TSIG (RFC 8945), valid and invalid, and requests for whole zones, over every transport. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Rcode, TypeCode } from "../../../src/dns/wire/constants.ts";
import { parseOrdered } from "../../dns/message.ts";
import {
  type Deviations,
  type ReplySignature,
  type Signed,
  sign,
  signatureOf,
  type TsigKey,
  withRecord,
} from "../../dns/tsig.ts";
import { output } from "../../machine/processes.ts";
import { parseAnswer, queryOf } from "../../scenarios/image.ts";
import { opt, packet, question, record } from "../../scenarios/packet.ts";
import { type RunningWithPortable, startWithPortable } from "./running.ts";
import { type Way, ways } from "./transports.ts";
import { apex, zone } from "./zone.ts";

const key: TsigKey = {
  name: "probe.key",
  algorithm: "hmac-sha256",
  secret: Buffer.from("a secret of thirty-two octets...."),
};
const other: TsigKey = { ...key, name: "other.key", secret: Buffer.alloc(32, 7) };

/** Zones whose transfers are open to this machine, require a signature with the key, or are disabled. */
const transferred = {
  "open.lab": { enabled: true, secondaries: [{ ip: "127.0.0.0/8" }, { ip: "::1" }] },
  "signed.lab": { enabled: true, secondaries: [{ ip: "127.0.0.0/8", tsig_key: key.name }] },
  "closed.lab": { enabled: false, secondaries: [{ ip: "127.0.0.0/8" }] },
};

let running: RunningWithPortable;

beforeAll(async () => {
  running = await startWithPortable();
  const { service, ports } = running;
  const must = async (path: string, body: object) => {
    const reply = await service.api("PUT", path, body);
    if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  };
  for (const { name, algorithm, secret } of [key, other]) {
    await must(`tsig/${name}`, { algorithm, secret: secret.toString("base64") });
  }
  for (const [name, primary] of Object.entries(transferred)) {
    await must(`zones/${name}`, { zone: name, primary });
    await service.put(name, `www.${name} A`, ["192.0.2.1"]);
  }
  // each worker gets keys separately
  const isKnown = async (way: Way) => {
    for (let n = 0; n < 20; n++) {
      const signed = sign(soaOf("signed.lab"), key);
      const { reply } = await way.send(signed.octets, 1);
      expect(signatureOf(Buffer.from(reply!), signed)).toMatchObject({ error: 0 });
    }
  };
  for (const open of Object.values(ways)) {
    const way = await open(ports);
    await vi.waitFor(() => isKnown(way), { timeout: 60_000, interval: 50 });
    way.close();
  }
});

afterAll(() => running?.stop());

let id = 0x100;
const soaOf = (name = zone) => Buffer.from(queryOf({ name: `${name}.`, type: "SOA", id: id++ }));
const plainOpt = Buffer.from(opt());

/** The RCODE, and the error and MAC of the signature; undefined for an unsigned reply. */
interface Wanted {
  readonly rcode: keyof typeof Rcode;
  readonly signature: Pick<ReplySignature, "error" | "mac"> | undefined;
  readonly answers?: number;
}

const unsigned = (rcode: Wanted["rcode"], answers = 0): Wanted => ({ rcode, answers, signature: undefined });
const signed = (rcode: Wanted["rcode"], answers = 0): Wanted => ({
  ...{ rcode, answers },
  signature: { error: 0, mac: "holds" },
});
const notAuth = (error: number, mac: ReplySignature["mac"]): Wanted => ({
  rcode: "NOTAUTH",
  signature: { error, mac },
});
const badSignature = notAuth(16, "none");
const badKey = notAuth(17, "none");
const badTime = notAuth(18, "holds");
const badTruncation = notAuth(22, "holds");
const sound = signed("NOERROR", 1);
const malformed = unsigned("FORMERR");

const deviating =
  (deviations: Deviations, by = key) =>
  () =>
    sign(soaOf(), by, deviations);
const withMac = (mac: (mac: Buffer) => Buffer) => deviating({ mac });
/** A message that is changed after it was signed. */
const altered = (alter: (octets: Buffer) => Buffer) => () => {
  const { octets, ...rest } = sign(soaOf(), key);
  return { ...rest, octets: alter(octets) };
};
const foreign = { ...key, secret: other.secret };

const signatures: readonly (readonly [name: string, make: () => Signed, wanted: Wanted])[] = [
  ["that is valid", deviating({}), sound],
  ["that is valid, with an OPT", () => sign(withRecord(soaOf(), plainOpt), key), sound],
  ["with the key's name in mixed case", deviating({}, { ...key, name: "pRoBe.KeY" }), sound],
  ["with an unknown key", deviating({}, { ...key, name: "unknown.key" }), badKey],
  ["with another secret", deviating({}, foreign), badSignature],
  ["an hour old", deviating({ ahead: -3600 }), badTime],
  ["an hour ahead", deviating({ ahead: 3600 }), badTime],
  ["with time 0", deviating({ time: 0 }), badTime],
  ["of the last second that 48 bits can hold", deviating({ time: 2 ** 48 - 1 }), badTime],
  ["with a fudge of 65,535 seconds", deviating({ ahead: -60_000, fudge: 65_535 }), badTime],
  ["with half a MAC", withMac((mac) => mac.subarray(0, 16)), badTruncation],
  ["with an invalid half of a MAC", withMac((mac) => mac.subarray(16)), badSignature],
  ["with 9 octets of MAC", withMac((mac) => mac.subarray(0, 9)), malformed],
  ["without a MAC", withMac((mac) => mac.subarray(0, 0)), malformed],
  ["with a MAC that is too long", withMac((mac) => Buffer.concat([mac, mac])), malformed],
  ["with an unknown algorithm", deviating({}, { ...key, algorithm: "hmac-none" }), badKey],
  ["with an algorithm other than the key's", deviating({}, { ...key, algorithm: "hmac-sha512" }), badKey],
  ["with class IN", deviating({ rrClass: 1 }), malformed],
  ["with a TTL", deviating({ ttl: 1 }), malformed],
  ["before an OPT", altered((octets) => withRecord(octets, plainOpt)), malformed],
  ["before another signature", altered((octets) => sign(octets, key).octets), malformed],
  ["that is cut off", altered((octets) => octets.subarray(0, -3)), malformed],
  ["of a query without a question", () => sign(packet({ id: id++ }), key), malformed],
];

const soaRecord = record([0xc0, 12], TypeCode.SOA, [0, 0, 0, 0, 0, 1, ...new Array(16).fill(0)]);
const whole = (name: string) => packet({ id: id++, questions: [question(`${name}.`, TypeCode.AXFR)] });
const changes = (name: string, authorities = [soaRecord]) =>
  packet({ id: id++, questions: [question(`${name}.`, TypeCode.IXFR)], authorities });
const by = (of: TsigKey, make: () => Uint8Array) => () => sign(make(), of);
const plainly = (make: () => Uint8Array) => () => ({ octets: Buffer.from(make()) });

/** The expected outcomes over UDP, over TCP and TLS, and over HTTPS if it differs. */
type Request = readonly [name: string, make: () => Signed, udp: Wanted, streams: Wanted, https?: Wanted];
const refused = unsigned("REFUSED");
const notImplemented = unsigned("NOTIMP");

const requests: readonly Request[] = [
  ["AXFR of a zone without transfers", plainly(() => whole("closed.lab")), notImplemented, refused],
  ["IXFR of a zone without transfers", plainly(() => changes("closed.lab")), refused, refused],
  ["AXFR without the required signature", plainly(() => whole("signed.lab")), notImplemented, refused],
  ["IXFR without the required signature", plainly(() => changes("signed.lab")), refused, refused],
  [
    "IXFR without the required signature and without a serial",
    plainly(() => changes("signed.lab", [])),
    refused,
    refused,
  ],
  ["AXFR with another key", by(other, () => whole("signed.lab")), signed("NOTIMP"), signed("REFUSED")],
  ["AXFR with an invalid MAC", by(foreign, () => whole("signed.lab")), badSignature, badSignature],
  ["AXFR of an unknown zone", by(key, () => whole("none.lab")), signed("NOTIMP"), signed("NOTAUTH")],
  ["AXFR of a name inside a zone", by(key, () => whole("www.signed.lab")), signed("NOTIMP"), signed("NOTAUTH")],
  ["AXFR from a listed address", plainly(() => whole("open.lab")), notImplemented, unsigned("NOERROR", 4), refused],
  ["AXFR with the key", by(key, () => whole("signed.lab")), signed("NOTIMP"), signed("NOERROR", 4), signed("REFUSED")],
  ["IXFR with the key", by(key, () => changes("signed.lab")), sound, signed("NOERROR", 4), signed("REFUSED")],
];

const byTransport = ([name, make, udp, streams, https = streams]: Request) =>
  [name, make, { udp, tcp: streams, tls: streams, https }] as const;

describe.each(Object.entries(ways))("over %s", (_, open) => {
  let way: Way;
  let plainId = 0x7000;

  beforeAll(async () => {
    way = await open(running.ports);
  });

  afterAll(async () => {
    way?.close();
    await running.assertUnharmed();
  });

  async function expectOutcome(query: Signed, wanted: Wanted): Promise<void> {
    const plain = plainId++;
    const { reply, plain: after } = await way.send(query.octets, plain);
    const octets = Buffer.from(reply!);
    const { rcode, answer } = parseOrdered(octets);
    const signature = signatureOf(octets, query);
    expect({ rcode, answers: answer.length, signature }).toMatchObject({ ...wanted, rcode: Rcode[wanted.rcode] });
    // RFC 8945 section 5.2.3
    if (signature?.error === Rcode.BADTIME) expect(signature.other).toHaveLength(6);
    expect(parseAnswer(after)).toMatchObject({ id: plain, rcode: "NOERROR", question: `${apex} SOA` });
  }

  test.each(signatures)("a signature %s has the expected outcome", async (_name, make, wanted) => {
    await expectOutcome(make(), wanted);
  });

  test.each(requests.map(byTransport))("%s has the expected outcome", async (_name, make, wanted) => {
    await expectOutcome(make(), wanted[way.transport]);
  });
});

test.each([
  ["dig over TCP", "dig", ["+tcp"], "dns"],
  ["kdig over TLS", "kdig", ["+tls"], "dot"],
] as const)("%s transfers a zone with TSIG, with the SOA record first and last", async (_, program, flags, port) => {
  const secret = `${key.algorithm}:${key.name}:${key.secret.toString("base64")}`;
  const words = ["@127.0.0.1", "-p", `${running.ports[port]}`, "-y", secret, ...flags, "signed.lab", "AXFR"];
  const printed = await output(program, [...words, "+noall", "+answer"]);
  const lines = printed.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  const types = lines.map((line) => line.split(/\s+/)[3]).filter((type) => type !== "TSIG");
  expect([types[0], types.at(-1), types.toSorted()]).toEqual(["SOA", "SOA", ["A", "NS", "SOA", "SOA"]]);
  expect(printed).not.toMatch(/warning|could|fail|expected/i);
});
