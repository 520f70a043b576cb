/** Queries with the name of a known key and a wrong signature, more than one core can verify. */
import { createSocket } from "node:dgram";
import { sign } from "../../../src/dns/tsig/tsig.ts";
import { nameFromApi } from "../../../src/dns/wire/name.ts";
import { queryOf } from "../../scenarios/image.ts";
import { type Attack, type Load, repeat } from "../attack.ts";

const zone = "signed.example";
const key = { name: "abuse.", algorithm: "hmac-sha512" } as const;
const plain = queryOf({ name: `www.${zone}`, type: "A" });

/** The signature of a key with another secret. */
const wrong = () =>
  sign(plain, { ...key, name: nameFromApi(key.name), secret: new Uint8Array(64) }, Math.floor(Date.now() / 1000));

const flooding =
  (query: () => Uint8Array): Load =>
  async ({ ports, share }, signal) => {
    const socket = createSocket("udp4");
    socket.on("error", () => {});
    const octets = query();
    const count = Math.ceil(14 * share);
    await repeat(signal, 1, async () => {
      for (let sent = 0; sent < count; sent++) socket.send(octets, ports.dns, "127.0.0.1");
    });
    socket.close();
  };

export const signatures: Attack = {
  name: "signatures",
  what: "wrong signatures with the name of a known key, up to 14,000 queries a second",
  victim: "udp",
  bar: 2,
  // this machine is like any other client, and the victim may ask for one name as often as it does
  flags: ["--dns-limit-exempt", "192.0.2.0/24", "--dns-equal-limit", "0"],
  async prepare(attacker) {
    await attacker.must("PUT", `zones/${zone}`, { zone });
    const put = [{ domain: `www.${zone}`, type: "A", answers: [{ answer: ["192.0.2.1"] }] }];
    await attacker.must("POST", `zones/${zone}/records`, { put });
    const secret = Buffer.alloc(64, 1).toString("base64");
    await attacker.must("PUT", `tsig/${key.name}`, { algorithm: key.algorithm, secret });
  },
  attack: flooding(() => wrong().octets),
  harmless: flooding(() => plain),
};
