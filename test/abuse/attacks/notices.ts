/** NOTIFY from the primary of many secondary zones, as fast as it can send. */
import { createSocket } from "node:dgram";
import { freePort } from "../../machine/processes.ts";
import { queryOf } from "../../scenarios/image.ts";
import { clientOf } from "../../service/client.ts";
import { type Attack, type Load, repeat } from "../attack.ts";
import { noticeOf } from "../notice.ts";
import { Primary } from "../primary.ts";

const zoneOf = (at: number) => `n${at}.notified.example`;
interface Zone {
  readonly secondary: { readonly primary_port: number };
}

const countOf = (share: number) => Math.ceil(2150 * share);

const sending =
  (queryAbout: (zone: string) => Uint8Array): Load =>
  async ({ url, key, ports, share }, signal) => {
    const { secondary } = await clientOf(url, key).must<Zone>("GET", `zones/${zoneOf(0)}`);
    await Primary.listen(secondary.primary_port);
    const socket = createSocket("udp4");
    socket.on("error", () => {});
    const queries = Array.from({ length: countOf(share) }, (_, at) => queryAbout(zoneOf(at)));
    let next = 0;
    await repeat(signal, 1, async () => {
      for (let sent = 0; sent < 16 * share; sent++)
        socket.send(queries[next++ % queries.length]!, ports.dns, "127.0.0.1");
    });
    socket.close();
  };

export const notices: Attack = {
  name: "notices",
  what: "up to 16,000 NOTIFY a second for 2,150 secondary zones",
  victim: "notices",
  bar: 2,
  async prepare(attacker, { share }) {
    // where the loads listen, in turn
    const primary_port = await freePort();
    const create = (zone: string) =>
      attacker.must("PUT", `zones/${zone}`, {
        zone,
        secondary: { enabled: true, primary_ip: "127.0.0.1", primary_port },
      });
    for (let at = 0; at < countOf(share); at += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, n) => create(zoneOf(at + n))));
    }
  },
  attack: sending(noticeOf),
  harmless: sending((zone) => queryOf({ name: zone, type: "SOA" })),
};
