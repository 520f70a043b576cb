/** Signatures: compared with those of dnspython 2.3, and checked with generated messages, keys and times. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Rcode } from "../wire/constants.ts";
import { lowerName, scanName } from "../wire/name.ts";
import { type TsigAlgorithm, tsigAlgorithmNamed, tsigAlgorithms } from "./algorithms.ts";
import { readSignature, signedMessage } from "./record.ts";
import { StreamSigner, StreamVerifier } from "./stream.ts";
import { badSignature, isOfKey, sign, signRefusal, type TsigKey, verify } from "./tsig.ts";

const keyOf = (algorithm: TsigAlgorithm, name = "key.example."): TsigKey => ({
  name: lowerName(scanName(name)),
  algorithm,
  secret: Uint8Array.from({ length: 32 }, (_, i) => i),
});
const octets = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const now = 1_700_000_000;

/** A query for www.example SOA at `now` with the key Key.Example, and its reply one second later. */
const ofDnspython: readonly [TsigAlgorithm, string, string][] = [
  [
    "hmac-md5",
    "12340100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff00000000003a08484d41432d4d4435075349472d414c470352454703494e540000006553f100012c0010e9df9abb4087ff1b0c19628a1a485f12123400000000",
    "12348100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff00000000003a08484d41432d4d4435075349472d414c470352454703494e540000006553f101012c00109a1406b410a7bafb14bb2906d05b9187123400000000",
  ],
  [
    "hmac-sha1",
    "12340100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff00000000002f09686d61632d736861310000006553f100012c00144b4c0a066351456773cdf2ec08bc5eb2322f51ac123400000000",
    "12348100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff00000000002f09686d61632d736861310000006553f101012c0014398e0e35ba3a11a4c45db40fed9da875536b18d5123400000000",
  ],
  [
    "hmac-sha224",
    "12340100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff0000000000390b686d61632d7368613232340000006553f100012c001c4779b98fff3e2edbd695796e9db0ae3244ccc27323b6247f74f90f4d123400000000",
    "12348100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff0000000000390b686d61632d7368613232340000006553f101012c001c1010d2f4237e65a51319c0bd919ce74f71c524c681a0eb3fa0c9e8dd123400000000",
  ],
  [
    "hmac-sha256",
    "12340100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff00000000003d0b686d61632d7368613235360000006553f100012c00207396292eac5448efaf42a4ae4c8aa56ec3583ba8b0f5e4f99459cade3c3fdd67123400000000",
    "12348100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff00000000003d0b686d61632d7368613235360000006553f101012c0020b50644840e0b2c9a426afea5e4de3d20ae1fc493654c4f130ed64fedfd96702e123400000000",
  ],
  [
    "hmac-sha384",
    "12340100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff00000000004d0b686d61632d7368613338340000006553f100012c00308895bbddad38598b2281a22e8483ccd09ebacdc314c4ee16ea2028c909f5a6ecf12e2e372cdb5711c3d9ad7c62401b43123400000000",
    "12348100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff00000000004d0b686d61632d7368613338340000006553f101012c003029452196e4c2ef225df399e4c3de6d66a57eb7eb27b0eea02e9cbc26647dd068ad07ab22320248890c01dfb454288b85123400000000",
  ],
  [
    "hmac-sha512",
    "12340100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff00000000005d0b686d61632d7368613531320000006553f100012c004034c9597bbbad71f295c946e4029ea458ac81106f491f5ad6999891a82551b8d9474dd755e14e6d8bd2cbfd90279c38c56221037b690a861db47fa587bf548f23123400000000",
    "12348100000100000000000103777777076578616d706c650000060001034b6579c01000fa00ff00000000005d0b686d61632d7368613531320000006553f101012c00403e609f6aa15fbc323b73cc6d12fda544463b18a8183083fdd21fc723f956020d8cbca4ad6551bdeb61b6502778f00efb2767158c1c87476d7e53ca961549d697123400000000",
  ],
];

for (const [algorithm, query, reply] of ofDnspython) {
  test(`${algorithm}: the signatures of a query and its reply are valid, and our MAC is the same`, () => {
    const key = keyOf(algorithm);
    const asked = readSignature(octets(query))!;
    expect(isOfKey(asked, key)).toBe(true);
    expect(verify(octets(query), asked, key, now)).toBe(Rcode.NOERROR);
    const answered = readSignature(octets(reply))!;
    expect(verify(octets(reply), answered, key, now, asked.mac)).toBe(Rcode.NOERROR);
    expect(verify(octets(reply), answered, key, now)).toBe(badSignature);
    const bare = octets(query).slice(0, asked.at);
    bare[11] = 0;
    expect(sign(bare, key, now).mac).toEqual(asked.mac);
  });
}

const message = octets("123400000001000000000000037777770765786d61706c6500000600 01".replaceAll(" ", ""));
const key = keyOf("hmac-sha256");
const judged = (signed: Uint8Array, at = now) => verify(signed, readSignature(signed)!, key, at);

test("a message with one changed octet is not valid", () => {
  const { octets: signed } = sign(message, key, now);
  fc.assert(
    fc.property(fc.nat(signed.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const altered = signed.slice();
      altered[at]! ^= flip;
      let outcome: number | undefined;
      try {
        const signature = readSignature(altered);
        outcome = signature && isOfKey(signature, key) ? verify(altered, signature, key, now) : Rcode.BADKEY;
      } catch {
        outcome = Rcode.FORMERR;
      }
      // the ID in the header is not signed: a forwarder may have changed it; the case of the key's name is ignored
      if (at > 1 && !(flip === 32 && at > message.length)) expect(outcome).not.toBe(Rcode.NOERROR);
    }),
  );
});

test("the signatures of every algorithm are valid, with any prior MAC and any secret", () => {
  const algorithms = fc.constantFrom(...Object.keys(tsigAlgorithms).map((name) => tsigAlgorithmNamed(name)!));
  const bodies = fc.uint8Array({ minLength: 0, maxLength: 300 });
  fc.assert(
    fc.property(algorithms, bodies, fc.uint8Array({ minLength: 1, maxLength: 80 }), (algorithm, secret, prior) => {
      const own = { ...keyOf(algorithm), secret };
      const { octets: signed } = sign(message, own, now, prior);
      expect(verify(signed, readSignature(signed)!, own, now, prior)).toBe(Rcode.NOERROR);
    }),
  );
});

test("a signature is valid for 300 seconds in both directions", () => {
  const { octets: signed } = sign(message, key, now);
  for (const [at, outcome] of [
    [now + 300, Rcode.NOERROR],
    [now - 300, Rcode.NOERROR],
    [now + 301, Rcode.BADTIME],
    [now - 301, Rcode.BADTIME],
  ] as const) {
    expect(judged(signed, at)).toBe(outcome);
  }
});

test("a truncated MAC is BADTRUNC down to half of the hash, and FORMERR below it", () => {
  const { mac } = sign(message, key, now);
  const cut = (length: number) => {
    const { octets: signed } = sign(message, key, now);
    const signature = readSignature(signed)!;
    return verify(signed, { ...signature, mac: length > 32 ? new Uint8Array(length) : mac.slice(0, length) }, key, now);
  };
  expect([32, 31, 16, 15, 9, 0, 33].map(cut)).toEqual([
    Rcode.NOERROR,
    ...[Rcode.BADTRUNC, Rcode.BADTRUNC, Rcode.FORMERR, Rcode.FORMERR, Rcode.FORMERR, Rcode.FORMERR],
  ]);
});

test("names of algorithms are accepted in any case, and the name of MD5 in both forms", () => {
  expect(["HMAC-SHA256.", "hmac-md5.sig-alg.reg.int", "HMAC-MD5", "sha256"].map(tsigAlgorithmNamed)).toEqual([
    "hmac-sha256",
    "hmac-md5",
    "hmac-md5",
    undefined,
  ]);
});

test("BADTIME is signed and contains our time; BADKEY has no MAC", () => {
  const { octets: query } = sign(message, key, now);
  const asked = readSignature(query)!;
  const late = signedMessage(message, signRefusal(message, asked, Rcode.BADTIME, key, now + 4000));
  const answered = readSignature(late)!;
  expect(answered).toMatchObject({ error: Rcode.BADTIME, time: now });
  expect(Buffer.from(answered.other).readUIntBE(0, 6)).toBe(now + 4000);
  expect(verify(late, answered, key, now, asked.mac)).toBe(Rcode.NOERROR);
  const unknown = signedMessage(message, signRefusal(message, asked, Rcode.BADKEY, undefined, now));
  expect(readSignature(unknown)).toMatchObject({ error: Rcode.BADKEY, mac: new Uint8Array(0) });
});

const mac = sign(message, key, now).mac;
const stream = (count: number) => {
  const signer = new StreamSigner(key, mac);
  return Array.from({ length: count }, () => signer.sign(message, now));
};

test("no message of a stream can be omitted, repeated or reordered", () => {
  const signed = stream(5);
  const takes = (messages: readonly Uint8Array[]) => () => {
    const verifier = new StreamVerifier(key, mac);
    for (const each of messages) verifier.take(each, now);
    return verifier.isSettled;
  };
  const [a, b, c] = signed as [Uint8Array, Uint8Array, Uint8Array];
  expect(takes(signed)()).toBe(true);
  for (const wrong of [[b], [a, c], [a, a], [a, c, b]]) expect(takes(wrong)).toThrow("BADSIG");
  expect(takes([message])).toThrow("is not signed");
});

test("99 unsigned messages in a row are accepted, but must not end the answer; the hundredth is refused", () => {
  const between = (count: number) => {
    const verifier = new StreamVerifier(key, mac);
    verifier.take(stream(1)[0]!, now);
    for (let i = 0; i < count; i++) verifier.take(message, now);
    return verifier;
  };
  expect(between(99).isSettled).toBe(false);
  expect(() => between(100)).toThrow("99 unsigned");
});

test("names may point to names in RDATA, which are not parsed", () => {
  const question = "076578616d706c650000060001";
  const answer = `c00c0006000100000e10001b026e73c00cc025${"00".repeat(20)}`;
  const glue = "c0250001000100000e100004c0000201";
  const bare = octets(`123484000001000100000001${question}${answer}${glue}`);
  const { octets: signed } = sign(bare, key, now);
  expect(judged(signed)).toBe(Rcode.NOERROR);
});

test("a TSIG record that is not the last record, or has another class or TTL, is malformed", () => {
  const { octets: signed } = sign(message, key, now);
  const at = readSignature(signed)!.at + key.name.length;
  const classed = signed.slice();
  classed[at + 3] = 1;
  const timed = signed.slice();
  timed[at + 7] = 1;
  const twice = signedMessage(signed, signed.slice(at - key.name.length));
  for (const wrong of [classed, timed, twice, signed.slice(0, -1)]) expect(() => readSignature(wrong)).toThrow();
});
