/** Waiting notices: the time for one notice does not grow with their number, and servers take turns. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { Egress } from "../../../lib/address/egress.ts";
import { NoticeSender, type Target } from "./sending.ts";

const soa = { primary_master: "ns.example", hostmaster: "h.example", refresh: 1, retry: 1, expiry: 1, nx_ttl: 1 };
const targets = (name: string, count: number, port: number): Target[] =>
  Array.from({ length: count }, (_, i) => {
    const id = `${name}${i}`;
    const row = { account_id: "a", id, zone: `${id}.example`, ttl: 60, serial: 1, ...soa };
    return { row, address: "127.0.0.1", port, key: undefined };
  });

/** Sends to the servers that `allow` names, and counts the notices that could not be sent. */
function notifier(allow: readonly string[]) {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const counts = { failed: 0 };
  const log = pino({ level: "debug" }, { write: () => counts.failed++ });
  const egress = new Egress({ allow, own: [] });
  return { counts, sender: new NoticeSender({ egress, log, signal: closing.signal, isCurrent: () => true }) };
}

/** A server that never answers, and the number of notices that it received. */
async function silentServer() {
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  const got = { count: 0, port: 0 };
  socket.on("message", () => got.count++);
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  got.port = socket.address().port;
  return got;
}

test("ten thousand notices to an address that is not allowed leave the processor free", async () => {
  const { sender, counts } = notifier([]);
  const count = 10_000;
  const before = process.cpuUsage();
  sender.send(targets("z", count, 53));
  await expect.poll(() => counts.failed, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
  // far less than a second; searching all waiting notices for each notice would take ten seconds
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
});

test("an account's servers take turns, even if many notices wait for one server", async () => {
  const { sender } = notifier(["127.0.0.1"]);
  const [one, other] = [await silentServer(), await silentServer()];
  sender.send([...targets("z", 1000, one.port), ...targets("other", 1, other.port)]);
  await expect.poll(() => other.count, { timeout: 20_000 }).toBe(1);
  expect(one.count).toBeLessThan(100);
});
