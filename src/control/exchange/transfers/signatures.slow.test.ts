/** Primaries with wrong signatures: their answers are ignored, and the reason is shown. */
import { describe, expect, test } from "vitest";
import { answerTo, scriptedPrimary, soa } from "../../../../test/network/scripted-primary.ts";
import { now, signedWith } from "../../../../test/network/signed-answers.ts";
import { startApi } from "../../../../test/service/api.ts";
import { patience, secondaryZones, slowly, www } from "../../../../test/service/secondary-zones.ts";
import { composeSignature, readSignature, signedMessage } from "../../../dns/tsig/record.ts";
import { badSignature, type TsigKey } from "../../../dns/tsig/tsig.ts";
import { Rcode } from "../../../dns/wire/constants.ts";
import { scanName } from "../../../dns/wire/name.ts";

const limits = { message: 5000, transfer: 20_000 };
const api = await startApi({ pullLimits: limits });
const { make, refreshing, secondaryOf, newName } = secondaryZones(api);

const key: TsigKey = { name: scanName("k."), algorithm: "hmac-sha256", secret: Buffer.from("secret") };
const tsig = { enabled: true, hash: "hmac-sha256", name: "k", key: "c2VjcmV0" };
const other: TsigKey = { ...key, name: scanName("other.") };
const foreign: TsigKey = { ...key, secret: Buffer.from("another") };
/** An unsigned answer that reports an error in the query's signature. */
function refusal(query: Uint8Array, error: number): Uint8Array {
  const { at: _, ...asked } = readSignature(query)!;
  const record = composeSignature({ ...asked, mac: new Uint8Array(0), error });
  return signedMessage(answerTo(query, [], { rcode: Rcode.NOTAUTH }), record);
}

/** A zone whose primary signs the SOA answer correctly; the test varies the transfer. */
async function asked(transfer: (query: Uint8Array, fqdn: string) => Uint8Array[]) {
  const zone = newName();
  const fqdn = `${zone}.`;
  const primary = await scriptedPrimary({
    soa: soa(fqdn, 5),
    udp: (query) => signedWith(query, [answerTo(query, [soa(fqdn, 5)])], [key])[0]!,
    transfer: (query) => transfer(query, fqdn),
  });
  const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port, tsig };
  await make(zone, secondary);
  return { zone, primary };
}

/** A zone in three messages. */
const parts = (query: Uint8Array, fqdn: string) =>
  [[soa(fqdn, 5)], [www(fqdn)], [soa(fqdn, 5)]].map((records) => answerTo(query, records));

const hour = 3600;
const rows: readonly [string, RegExp, (query: Uint8Array, fqdn: string) => Uint8Array[]][] = [
  ["missing on all messages", /is not signed$/, (q, z) => parts(q, z)],
  ["missing on the first message", /is not signed$/, (q, z) => signedWith(q, parts(q, z), [undefined, key, key])],
  ["missing on the last message", /did not sign the last message$/, (q, z) => signedWith(q, parts(q, z), [key, key])],
  [
    "missing on a hundred messages",
    /more than 99 unsigned messages in a row$/,
    (q, z) => {
      const [first, middle, last] = parts(q, z);
      const all = [first!, ...Array.from({ length: 100 }, () => middle!), last!];
      return signedWith(
        q,
        all,
        all.map((_, i) => (i === 0 || i === all.length - 1 ? key : undefined)),
      );
    },
  ],
  ["made by another key", /another key \(BADKEY\)$/, (q, z) => signedWith(q, parts(q, z), [other, other, other])],
  [
    "made by another key in the middle",
    /another key \(BADKEY\)$/,
    (q, z) => signedWith(q, parts(q, z), [key, other, key]),
  ],
  ["made with another secret", /\(BADSIG\)$/, (q, z) => signedWith(q, parts(q, z), [foreign])],
  ["made with another secret at the end", /\(BADSIG\)$/, (q, z) => signedWith(q, parts(q, z), [key, key, foreign])],
  [
    "made over messages in another order",
    /\(BADSIG\)$/,
    (q, z) => {
      const [first, middle, last] = signedWith(q, parts(q, z), [key, key, key]);
      return [first!, last!, middle!];
    },
  ],
  ["an hour old", /\(BADTIME\)$/, (q, z) => signedWith(q, parts(q, z), [key, key, key], now() - hour)],
  ["an hour ahead", /\(BADTIME\)$/, (q, z) => signedWith(q, parts(q, z), [key, key, key], now() + hour)],
  ["replaced with the error BADKEY", /reports BADKEY for our signature$/, (q) => [refusal(q, Rcode.BADKEY)]],
  ["replaced with the error BADTIME", /reports BADTIME for our signature$/, (q) => [refusal(q, Rcode.BADTIME)]],
  ["replaced with the error BADSIG", /reports BADSIG for our signature$/, (q) => [refusal(q, badSignature)]],
];

describe.concurrent("transfers and their signatures", () => {
  test.for(rows)("a transfer whose signature is %s is ignored", async ([, reason, transfer], { expect }) => {
    const { zone } = await asked(transfer);
    await expect.poll(async () => (await secondaryOf(zone))["error"], patience).toMatch(reason);
    expect(await secondaryOf(zone)).toMatchObject({ status: "error", expired: true, last_xfr: 0 });
  });

  test("a transfer whose signatures are valid is accepted", async ({ expect }) => {
    const { zone } = await asked((q, z) => signedWith(q, parts(q, z), [key, key, key]));
    await expect.poll(() => secondaryOf(zone), patience).toMatchObject({ status: "ok", error: null });
  });
});

test("the rules for signatures apply to the answer with the serial too", async () => {
  const { zone, primary } = await asked((q, z) => signedWith(q, parts(q, z), [key, key, key]));
  await expect.poll(async () => (await secondaryOf(zone))["status"], patience).toBe("ok");
  const error = refreshing(zone, async () => (await secondaryOf(zone))["error"]);
  for (const [by, at, reason] of [
    [undefined, now(), "is not signed"],
    [other, now(), "BADKEY"],
    [foreign, now(), "BADSIG"],
    [key, now() - hour, "BADTIME"],
  ] as const) {
    primary.script.udp = (query) => signedWith(query, [answerTo(query, [soa(`${zone}.`, 6)])], [by], at)[0]!;
    await expect.poll(error, slowly).toContain(reason);
  }
});
