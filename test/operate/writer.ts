/**
 * A client that writes 200 records a second until SIGTERM. A file gets a line for each write that was acknowledged: its
 * name, its version, and the time in Unix milliseconds. Takes the URL of the API, a key, a zone, the number of names and
 * the file.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { clientOf } from "../service/client.ts";

const [url = "", key = "", zone = "", names = "0", file = ""] = process.argv.slice(2);
const perSecond = 200;
const patience = 5000;
const client = clientOf(url, key);
let isEnding = false;
process.on("SIGTERM", () => {
  isEnding = true;
});

/** One name has one write at a time, so that its versions are in order. */
async function write(n: number): Promise<void> {
  const domain = `n${n}.${zone}`;
  const path = `zones/${zone}/${domain}/TXT`;
  let method = "PUT";
  for (let version = 1; !isEnding; version++) {
    const next = performance.now() + (Number(names) / perSecond) * 1000;
    const body = { zone, domain, type: "TXT", answers: [{ answer: [String(version)] }] };
    const reply = await Promise.race([client.call(method, path, body).catch(() => undefined), delay(patience)]);
    if (reply?.status === 200) appendFileSync(file, `${n} ${version} ${Date.now()}\n`);
    // stored already, by this write or by one without a reply; or not stored, although a reply was lost
    if (reply?.status === 200 || reply?.status === 409) method = "POST";
    if (reply?.status === 404) method = "PUT";
    await delay(Math.max(0, next - performance.now()));
  }
}

await Promise.all(Array.from({ length: Number(names) }, (_, n) => delay(n * (1000 / perSecond)).then(() => write(n))));
process.exit(0);
