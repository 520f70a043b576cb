/** Notices that cannot be sent, or to secondaries that do not answer, do not delay other notices. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { startApi } from "../../../../test/service/api.ts";
import { parseReply } from "../../../dns/reply.ts";
import { serialOf } from "../../../dns/transfer/reply.ts";
import { nameToApi } from "../../../dns/wire/name.ts";

const patience = { timeout: 60_000, interval: 50 };
const api = await startApi({ egressAllow: ["127.0.0.0/8"] });

/** A secondary that never answers, with the number of notices that it received, and their serials by zone. */
async function silentSecondary() {
  const socket = createSocket("udp4");
  const got = { count: 0, port: 0, serials: new Map<string, number>() };
  socket.on("message", (octets) => {
    got.count++;
    for (const soa of parseReply(octets).answer) got.serials.set(nameToApi(soa.owner), serialOf(soa));
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  afterAll(() => void socket.close());
  got.port = socket.address().port;
  return got;
}

const notifying = (port: number, rest: object = {}) => ({
  primary: { enabled: true, secondaries: [{ ip: "127.0.0.1", port, notify: true, ...rest }] },
});

test("an account whose secondaries do not answer does not delay notices of other accounts", async () => {
  const [silent, other] = [await silentSecondary(), await silentSecondary()];
  for (let i = 0; i < 60; i++) await api.must("PUT", `zones/n${i}.example`, notifying(silent.port));
  await expect.poll(() => silent.count, patience).toBeGreaterThanOrEqual(10);
  const stranger = await api.stranger();
  await stranger.must("PUT", "zones/other.test", notifying(other.port));
  await expect.poll(() => other.count, { ...patience, timeout: 60_000 }).toBeGreaterThan(0);
});

test("a secondary that does not answer does not delay notices to the account's other secondaries", async () => {
  const [silent, other] = [await silentSecondary(), await silentSecondary()];
  const owner = await api.stranger();
  for (let i = 0; i < 30; i++) await owner.must("PUT", `zones/s${i}.test`, notifying(silent.port));
  await expect.poll(() => silent.count, patience).toBeGreaterThanOrEqual(11);
  await owner.must("PUT", "zones/heard.test", notifying(other.port));
  await expect.poll(() => other.count, patience).toBeGreaterThan(0);
});

test("a notice whose key cannot be opened is not sent", async () => {
  const stranger = await api.stranger();
  const [keyed, plain] = [await silentSecondary(), await silentSecondary()];
  await stranger.must("PUT", "tsig/broken.key", { algorithm: "hmac-sha256", secret: "c2VjcmV0" });
  await api.store.db.updateTable("tsig_key").set({ secret: "broken" }).where("name", "=", "broken.key").execute();
  await stranger.must("PUT", "zones/keyed.test", notifying(keyed.port, { tsig_key: "broken.key" }));
  await stranger.must("PUT", "zones/plain.test", notifying(plain.port));
  await expect.poll(() => plain.count, patience).toBeGreaterThan(0);
  expect(keyed.count).toBe(0);
});

test("when a zone changes, secondaries are also notified of the zones linked to it, with its serial", async () => {
  const [owner, secondary] = [await api.stranger(), await silentSecondary()];
  await owner.must("PUT", "zones/target.test", notifying(secondary.port));
  await owner.must("PUT", "zones/linked.test", { link: "target.test" });
  const serial = () => secondary.serials.get("linked.test");
  await expect.poll(serial, patience).toBeGreaterThan(0);
  const first = serial()!;
  await expect.poll(() => secondary.serials.get("target.test"), patience).toBe(first);
  await owner.must("PUT", "zones/target.test/www.target.test/A", { answers: [{ answer: ["192.0.2.1"] }] });
  await expect.poll(serial, patience).toBeGreaterThan(first);
});
