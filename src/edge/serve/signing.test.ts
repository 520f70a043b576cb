/** Signed queries, notices and requests for zones, as `serve` answers them. */
import { describe, expect, test } from "vitest";
import { parseAnswer, recordsOf, zoneOf } from "../../../test/scenarios/image.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import { soaRdata } from "../../answer/image/rrset/soa.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import { composeQuery } from "../../dns/reply.ts";
import { axfrQuery, ixfrQuery, notifyQuery, soaQuery } from "../../dns/transfer/query.ts";
import { composeSignature, countAdditional, readSignature, signedMessage } from "../../dns/tsig/record.ts";
import { badSignature, sign, type TsigKey, verify } from "../../dns/tsig/tsig.ts";
import { types } from "../../dns/types.ts";
import { Opcode, Rcode, TypeCode } from "../../dns/wire/constants.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import type { Incoming, Peers } from "../../sync/peers.ts";
import type { Transport } from "./options.ts";
import { PeerBook } from "./peer-book.ts";
import { createServe } from "./serve.ts";

const apex = "example.com";
const image = ImageWriter.create();
image.putZone(zoneOf(apex), 7);
image.putZone({ ...zoneOf("expired.example"), id: "expired", expired: true }, 7);
const catalog = "catalog.invalid";
const hidden = { ...zoneOf(catalog), id: "hidden", hidden: true };
image.putZone(hidden, 7);
for (const record of recordsOf(catalog, ["version 0 TXT 2"])) image.putRecord({ ...record, zone_id: "hidden" });
for (const record of recordsOf(apex, ["www 60 A 192.0.2.1"])) image.putRecord(record);
image.commit();

const secret = new Uint8Array(Buffer.from("a secret"));
const keyOf = (name: string, rest: Partial<TsigKey> = {}): TsigKey => ({
  name: nameFromApi(name),
  algorithm: "hmac-sha256",
  secret,
  ...rest,
});
const key = keyOf("key.example");
const peerKey = { account_id: "a", name: "key.example", algorithm: "hmac-sha256", secret } as const;
const own = { account_id: "a", name: "own.example", algorithm: "hmac-sha256", secret: Uint8Array.of(1) } as const;
const peers: Peers = {
  keys: [peerKey],
  outgoing: [
    {
      account_id: "a",
      zone_id: "1",
      zone: apex,
      allowed: [{ ip: "192.0.2.0/24" }, { ip: "198.51.100.1", tsig_key: "key.example" }],
    },
    { account_id: "a", zone_id: "hidden", zone: catalog, allowed: [{ ip: "192.0.2.1", tsig_key: "key.example" }] },
  ],
  incoming: [
    { account_id: "a", zone_id: "2", zone: "in.example", addresses: ["192.0.2.53", "2001:db8::53"], mustSign: false },
    { account_id: "a", zone_id: "3", zone: "signed.example", addresses: ["192.0.2.53"], key: own, mustSign: true },
  ],
};

const notified: Incoming[] = [];
const reader = new ImageReader(image.share(), 0);
const book = new PeerBook(peers);
const serve = createServe(reader, { peers: () => book, onNotify: (zone) => notified.push(zone) });

function ask(query: Uint8Array, address = "192.0.2.1", transport: Transport = "udp"): Uint8Array {
  const octets = Uint8Array.from(address.split(".").map(Number));
  const out = new Uint8Array(65_535);
  reader.enter();
  const length = serve(query, 0, query.length, { family: 4, address: octets, port: 1 }, transport, out, 0, out.length);
  reader.leave();
  return out.slice(0, length);
}

const now = () => Math.floor(Date.now() / 1000);
const question = (name = `www.${apex}`) => composeQuery(nameFromApi(name), TypeCode.A, 1232);
const plain = soaQuery(0x1234, nameFromApi(apex));
const rcodeOf = (reply: Uint8Array) => reply[3]! & 15;

/** RCODE, and the TSIG error of the reply; undefined where there is no signature. */
const outcome = (reply: Uint8Array) => [rcodeOf(reply), readSignature(reply)?.error] as const;

describe("signatures (RFC 8945 section 5.2)", () => {
  for (const [name, query] of [
    ["with EDNS", question()],
    ["without EDNS", plain],
  ] as const) {
    test(`a valid signature of a query ${name} is answered with a valid one`, () => {
      const signed = sign(query, key, now());
      const reply = ask(signed.octets);
      const signature = readSignature(reply)!;
      expect([rcodeOf(reply), verify(reply, signature, key, now(), signed.mac)]).toEqual([
        Rcode.NOERROR,
        Rcode.NOERROR,
      ]);
    });
  }

  test("key names are compared without case", () => {
    const { octets } = sign(plain, key, now());
    const at = readSignature(octets)!.at;
    for (let i = at; i < at + key.name.length; i++) if (octets[i]! >= 97) octets[i]! -= 32;
    expect(outcome(ask(octets))).toEqual([Rcode.NOERROR, Rcode.NOERROR]);
  });

  const { octets: good } = sign(plain, key, now());
  const at = readSignature(good)!.at;
  const record = good.slice(at);
  const fixed = at + key.name.length;
  const altered = (change: (octets: Uint8Array) => void) => {
    const octets = good.slice();
    change(octets);
    return octets;
  };
  const hour = 3600;
  const rows: readonly [string, Uint8Array, number, number | undefined][] = [
    ["with an unknown key", sign(plain, keyOf("no.example"), now()).octets, Rcode.NOTAUTH, Rcode.BADKEY],
    [
      "with a wrong MAC",
      sign(plain, keyOf("key.example", { secret: Uint8Array.of(9) }), now()).octets,
      Rcode.NOTAUTH,
      badSignature,
    ],
    ["that is an hour old", sign(plain, key, now() - hour).octets, Rcode.NOTAUTH, Rcode.BADTIME],
    ["that is an hour ahead", sign(plain, key, now() + hour).octets, Rcode.NOTAUTH, Rcode.BADTIME],
    ["with time 0", sign(plain, key, 0).octets, Rcode.NOTAUTH, Rcode.BADTIME],
    [
      "with another algorithm",
      sign(plain, keyOf("key.example", { algorithm: "hmac-sha1" }), now()).octets,
      Rcode.NOTAUTH,
      Rcode.BADKEY,
    ],
    ["with class IN", altered((octets) => (octets[fixed + 3] = 1)), Rcode.FORMERR, undefined],
    ["with a TTL", altered((octets) => (octets[fixed + 7] = 1)), Rcode.FORMERR, undefined],
    ["after another signature", signedMessage(good, record), Rcode.FORMERR, undefined],
    ["that is cut off", good.slice(0, -3), Rcode.FORMERR, undefined],
  ];
  for (const [name, query, rcode, error] of rows) {
    test(`a signature ${name} gets RCODE ${rcode}${error === undefined ? "" : ` and TSIG error ${error}`}`, () => {
      expect(outcome(ask(query))).toEqual([rcode, error]);
      expect(parseAnswer(ask(plain)).rcode).toBe("NOERROR");
    });
  }

  test("verifying does not change the message", () => {
    const query = Buffer.from(good);
    for (let time = 0; time < 2; time++) expect(outcome(ask(query))).toEqual([Rcode.NOERROR, Rcode.NOERROR]);
    expect(new Uint8Array(query)).toEqual(good);
  });

  test("an OPT record after the signature is malformed", () => {
    const opt = Uint8Array.of(0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0);
    const query = new Uint8Array(good.length + opt.length);
    query.set(good);
    query.set(opt, good.length);
    countAdditional(query, 0, 1);
    expect(outcome(ask(query))).toEqual([Rcode.FORMERR, undefined]);
  });

  test("an algorithm name longer than every known one is not copied into the reply", () => {
    const long = Array.from({ length: 4 }, () => "x".repeat(60)).join(".");
    const fields = { ...readSignature(good)!, algorithm: nameFromApi(long) };
    expect(outcome(ask(signedMessage(plain, composeSignature(fields))))).toEqual([Rcode.FORMERR, undefined]);
  });

  test("the question fits into a reply with the longest key name", () => {
    const name = Array.from({ length: 4 }, () => "k".repeat(60)).join(".");
    const query = soaQuery(1, nameFromApi(`${name.slice(0, 200)}.${apex}`));
    const reply = ask(sign(query, keyOf(name), now()).octets);
    expect(outcome(reply)).toEqual([Rcode.NOTAUTH, Rcode.BADKEY]);
    expect(reply.subarray(12, query.length)).toEqual(query.subarray(12));
  });

  test("the reply to a wrong time is signed and has our time; the reply to an unknown key has no MAC", () => {
    const late = sign(plain, key, now() - hour);
    const reply = ask(late.octets);
    const signature = readSignature(reply)!;
    expect(verify(reply, signature, key, now() - hour, late.mac)).toBe(Rcode.NOERROR);
    expect(Math.abs(Buffer.from(signature.other).readUIntBE(0, 6) - now())).toBeLessThan(60);
    expect(readSignature(ask(sign(plain, keyOf("no.example"), now()).octets))!.mac).toHaveLength(0);
  });
});

describe("notices (RFC 1996)", () => {
  const soa = { owner: nameFromApi("in.example"), type: types.SOA, ttl: 1, rdata: new Uint8Array(22) };
  const of = (zone: string) => notifyQuery(1, nameFromApi(zone), { ...soa, owner: nameFromApi(zone) });
  const notify = (query: Uint8Array, address: string) => {
    notified.length = 0;
    const reply = ask(query, address);
    return [rcodeOf(reply), (reply[2]! >>> 3) & 15, notified.map(({ zone }) => zone)];
  };
  const ownKey = keyOf("own.example", { secret: own.secret });

  for (const [name, query, address, rcode, zones] of [
    ["a notice from a primary is passed on", of("in.example"), "192.0.2.53", Rcode.NOERROR, ["in.example"]],
    ["a notice from another address is refused", of("in.example"), "192.0.2.54", Rcode.REFUSED, []],
    ["a notice for a zone without a primary is refused", of(apex), "192.0.2.53", Rcode.REFUSED, []],
    ["a notice for an unknown zone is refused", of("none.example"), "192.0.2.53", Rcode.REFUSED, []],
    ["an unsigned notice is refused where it must be signed", of("signed.example"), "192.0.2.53", Rcode.REFUSED, []],
    [
      "a notice signed with the zone's key is passed on",
      sign(of("signed.example"), ownKey, now()).octets,
      "192.0.2.53",
      Rcode.NOERROR,
      ["signed.example"],
    ],
    [
      "a notice signed with another key is refused",
      sign(of("in.example"), key, now()).octets,
      "192.0.2.53",
      Rcode.REFUSED,
      [],
    ],
  ] as const) {
    test(name, () => expect(notify(query, address)).toEqual([rcode, Opcode.NOTIFY, zones]));
  }

  test("a notice for another type than SOA is malformed", () => {
    const query = of("in.example");
    query[12 + nameFromApi("in.example").length + 1] = TypeCode.A;
    expect(notify(query, "192.0.2.53")).toEqual([Rcode.FORMERR, Opcode.NOTIFY, []]);
  });
});

describe("transfer requests", () => {
  const soa = { owner: nameFromApi(apex), type: types.SOA, ttl: 1, rdata: new Uint8Array(22) };
  const whole = (zone: string) => axfrQuery(1, nameFromApi(zone));
  const changes = ixfrQuery(1, nameFromApi(apex), soa);

  for (const [name, query, address, transport, rcode] of [
    ["AXFR over UDP", whole(apex), "192.0.2.1", "udp", Rcode.NOTIMP],
    ["AXFR from another address", whole(apex), "203.0.113.1", "tcp", Rcode.REFUSED],
    ["IXFR from another address", changes, "203.0.113.1", "tcp", Rcode.REFUSED],
    ["IXFR from another address over UDP", changes, "203.0.113.1", "udp", Rcode.REFUSED],
    ["AXFR without a required signature", whole(apex), "198.51.100.1", "tcp", Rcode.REFUSED],
    ["AXFR of an unknown zone", whole("none.example"), "192.0.2.1", "tcp", Rcode.NOTAUTH],
    ["AXFR of a name inside a zone", whole(`www.${apex}`), "192.0.2.1", "tcp", Rcode.NOTAUTH],
    [
      "AXFR with a wrong MAC",
      sign(whole(apex), keyOf("key.example", { secret: Uint8Array.of(9) }), now()).octets,
      "192.0.2.1",
      "tcp",
      Rcode.NOTAUTH,
    ],
  ] as const) {
    test(`${name} is refused with RCODE ${rcode}`, () => expect(rcodeOf(ask(query, address, transport))).toBe(rcode));
  }

  test("an allowed IXFR over UDP is answered with the SOA record", () => {
    expect(parseAnswer(ask(changes)).answer).toHaveLength(1);
    const signed = sign(changes, key, now());
    const reply = ask(signed.octets, "198.51.100.1");
    expect(outcome(reply)).toEqual([Rcode.NOERROR, Rcode.NOERROR]);
    expect(reply[7]).toBe(1);
  });
});

test("a query for an expired zone gets SERVFAIL", () => {
  expect(rcodeOf(ask(question("a.expired.example")))).toBe(Rcode.SERVFAIL);
});

describe("a hidden zone (RFC 9432 section 7)", () => {
  const soa = soaQuery(1, nameFromApi(catalog));
  const signed = (query: Uint8Array) => sign(query, key, now()).octets;

  test("is answered to its secondaries only, and only its SOA record", () => {
    expect(rcodeOf(ask(signed(soa)))).toBe(Rcode.NOERROR);
    expect(rcodeOf(ask(signed(question(`version.${catalog}`))))).toBe(Rcode.REFUSED);
    const changes = ixfrQuery(2, nameFromApi(catalog), {
      owner: nameFromApi(catalog),
      type: types.SOA,
      ttl: 0,
      rdata: soaRdata(hidden, 6),
    });
    expect(rcodeOf(ask(signed(changes)))).toBe(Rcode.NOERROR);
  });

  test.each([
    ["without the key", () => soa, "192.0.2.1"],
    ["from another address", () => signed(soa), "192.0.2.2"],
    ["of a name below it", () => signed(soaQuery(1, nameFromApi(`version.${catalog}`))), "192.0.2.1"],
  ])("is refused for a question %s", (_, query, address) => {
    expect(rcodeOf(ask(query(), address))).toBe(Rcode.REFUSED);
  });

  test("is answered once it is no longer hidden", () => {
    image.putZone({ ...hidden, hidden: false }, 7);
    image.commit();
    expect(rcodeOf(ask(soa, "203.0.113.1"))).toBe(Rcode.NOERROR);
    image.putZone(hidden, 7);
    image.commit();
    expect(rcodeOf(ask(soa, "203.0.113.1"))).toBe(Rcode.REFUSED);
  });
});
