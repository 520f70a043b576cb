/**
 * The time from the API's 200 to the NOTIFY at a secondary, and to the first answer with the change from BIND, another
 * secondary: it gets the NOTIFY, asks for the serial, and then transfers the change.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { startPartner } from "../test/interop/partners/partner.ts";
import { freePort, run } from "../test/machine/processes.ts";
import { askerOf } from "./kit/asker.ts";
import { bench } from "./kit/bench.ts";
import { apiClient } from "./kit/client.ts";
import { delayRows } from "./kit/measure.ts";
import { unlimitedService } from "./kit/served.ts";
import { address, apex } from "./kit/zone.ts";

const name = "secondary";
const domain = `www.${apex}`;
/** The expected milliseconds. */
const expected = { p50: 200, p99: 1000 };

await bench(async (scale) => {
  const changes = scale(300, 10);
  if ((await run("sh", ["-c", "command -v /usr/sbin/named"])).code !== 0) {
    return [{ name, measure: "BIND is not installed", unit: "", peers: {}, target: "to be measured", met: false }];
  }
  await using running = await unlimitedService();
  using acknowledging = await listener();
  const port = await freePort();
  const secondaries = [port, acknowledging.port].map((each) => ({ ip: "127.0.0.1", port: each, notify: true }));
  await running.zone(apex, { primary: { enabled: true, secondaries }, retry: 5 });
  await running.put(apex, `${domain} A`, ["192.0.2.1"]);
  await using bind = await startPartner("bind", "secondary", {
    ourPort: running.port,
    zones: [{ zone: apex, key: undefined }],
    port,
  });
  const client = await apiClient(running);
  const asker = await askerOf(bind.port, domain);
  await asker.until("192.0.2.1");
  const notices: number[] = [];
  const answers: number[] = [];
  for (let n = 0; n < changes; n++) {
    const to = address(n);
    const noticed = acknowledging.next();
    await client.call({ method: "POST", path: `zones/${apex}/${domain}/A`, body: { answers: [{ answer: [to] }] } });
    const acknowledged = performance.now();
    await asker.until(to);
    answers.push(performance.now() - acknowledged);
    notices.push(Math.max(0, (await noticed) - acknowledged));
  }
  client.close();
  asker.close();
  return [
    ...delayRows(name, "change to notice", notices),
    ...delayRows(name, "change to BIND's answer", answers, expected),
  ];
});

/** A secondary that only acknowledges notices. */
async function listener() {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  let heard: (at: number) => void = () => {};
  socket.on("message", (message, { port, address: from }) => {
    heard(performance.now());
    // with QR set, the NOTIFY becomes its own response
    message[2] = message[2]! | 0x80;
    socket.send(message, port, from);
  });
  return {
    port: socket.address().port,
    /** Resolves at the next notice. */
    next: () => new Promise<number>((resolve) => (heard = resolve)),
    [Symbol.dispose]: () => socket.close(),
  };
}
