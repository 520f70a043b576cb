/** One connection that pipelines queries for large answers: over TCP, TLS, and HTTPS. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { coded } from "../../network/doh.ts";
import { openHttp2, openTls, request } from "../../network/streams.ts";
import { queryOf } from "../../scenarios/image.ts";
import { type Attack, atOnce, type Load, orAborted, repeat } from "../attack.ts";
import { framed, open } from "../stream.ts";
import type { VictimKind } from "../victims.ts";

const zone = "large.example";
const attacker = "127.0.0.2";

/** Keeps a connection full of queries; a connection that is closed is opened again. */
const pipelined =
  (connect: Connect): Asking =>
  (name) =>
  ({ ports }, signal) =>
    repeat(signal, 100, async () => {
      const socket = await connect(ports);
      const batch = Buffer.concat(Array.from({ length: 500 }, () => framed(queryOf({ name, type: "TXT" }))));
      const send = () => {
        while (!signal.aborted && !socket.destroyed && socket.write(batch));
      };
      const closed = once(socket, "close");
      socket.resume().on("drain", send);
      send();
      await orAborted(closed, signal, () => socket.destroy());
    });

type Connect = (ports: { readonly dns: number; readonly dot: number }) => Promise<Socket>;
type Asking = (name: string) => Load;

/** As many streams at once as a connection may have, each of which is followed by another. */
const requested: Asking =
  (name) =>
  ({ ports }, signal) =>
    repeat(signal, 100, async () => {
      const session = await openHttp2(ports.doh, open(ports.doh, attacker));
      const path = `/dns-query?dns=${coded(queryOf({ name, type: "TXT" }))}`;
      const ask = async () => {
        while (!signal.aborted && !session.destroyed) await request(session, { ":path": path }).catch(() => {});
      };
      await orAborted(atOnce(100, ask), signal, () => session.destroy());
    });

const over = (name: string, transport: string, victim: VictimKind, asking: Asking): Attack => ({
  name,
  what: `one connection pipelines answers of 58 KB over ${transport}`,
  victim,
  bar: 3,
  async prepare(client) {
    await client.must("PUT", `zones/${zone}`, { zone });
    const texts = Array.from({ length: 100 }, (_, at) => ({
      answer: [`${at} ${"x".repeat(250)}`, "y".repeat(250), "z".repeat(60)],
    }));
    const put = [
      { domain: `large.${zone}`, type: "TXT", answers: texts },
      { domain: `small.${zone}`, type: "TXT", answers: [{ answer: ["small"] }] },
    ];
    await client.must("POST", `zones/${zone}/records`, { put });
  },
  attack: asking(`large.${zone}`),
  harmless: asking(`small.${zone}`),
});

export const pipelining: readonly Attack[] = [
  over(
    "pipelining",
    "TCP",
    "tcp",
    pipelined(async ({ dns }) => open(dns, attacker)),
  ),
  over(
    "pipelining-tls",
    "TLS",
    "tls",
    pipelined(({ dot }) => openTls(dot, { socket: open(dot, attacker) })),
  ),
  over("pipelining-https", "HTTPS", "https", requested),
];
