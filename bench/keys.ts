/**
 * Checks that the time of a refusal does not reveal how much of a key was right: Welch's t of the times for keys that begin
 * like a real one and for random keys, in random order. Chance yields values between -4.5 and 4.5.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { newKeyString } from "../src/lib/ids.ts";
import { seededRandom } from "../test/machine/random.ts";
import type { Service } from "../test/service/kit.ts";
import { bench } from "./kit/bench.ts";
import { atMost, type Row } from "./kit/rows.ts";
import { unlimitedService } from "./kit/served.ts";

const requests = 100_000;
const mostT = 4.5;
/** The slowest refusals are left out: other work on the machine delayed them. */
const kept = 0.95;

await bench(async (scale) => {
  await using running = await unlimitedService({ flags: ["--trusted-proxy", "127.0.0.1/32"] });
  const { key } = running;
  const begun = (length: number) => key.slice(0, length) + newKeyString().slice(length);
  const rows: Row[] = [];
  // the rest of the key is long enough that it cannot be guessed
  for (const length of [8, key.length - 6]) {
    const t = Math.abs(await compare(running, scale(requests / 2), () => begun(length)));
    const measure = `refusals of keys with ${length} characters of a real one beside random ones: Welch's t`;
    rows.push({ name: "keys", measure, unit: "", ours: t, peers: {}, ...atMost(t, mostT, "either way") });
  }
  return rows;
});

/** Welch's t of the times of refusals of keys from `drawn` and of random keys. */
async function compare(running: Service, count: number, drawn: () => string): Promise<number> {
  const { hostname, port } = new URL(running.url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await once(socket, "connect");
  const random = seededRandom(1);
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < count; n++) {
    const side = random() < 0.5 ? 0 : 1;
    times[side].push(await refusal(socket, side === 0 ? drawn() : newKeyString(), n));
  }
  socket.destroy();
  const most = times.flat().sort((a, b) => a - b)[Math.floor(count * kept)]!;
  const [one, other] = times.map((list) => momentsOf(list.filter((time) => time <= most)));
  return (one!.mean - other!.mean) / Math.sqrt(one!.error + other!.error);
}

/** Milliseconds of a refusal. Each request has its own address, since guesses per address are limited. */
async function refusal(socket: Socket, key: string, n: number): Promise<number> {
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  const began = performance.now();
  socket.write(`GET /v1/zones HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nX-SERVICE-Key: ${key}\r\n\r\n`);
  const [reply]: Buffer[] = await once(socket, "data");
  const time = performance.now() - began;
  if (!reply!.includes("HTTP/1.1 401")) throw new Error(reply!.toString("latin1"));
  return time;
}

function momentsOf(values: readonly number[]): { mean: number; error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, error: variance / values.length };
}
