/** A DNS server that gives written answers: a parent, a resolver, or an edge. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { ResourceRecord } from "../../src/dns/reply.ts";
import { Class } from "../../src/dns/wire/constants.ts";
import { printName } from "../../src/dns/wire/name.ts";
import { Writer } from "../../src/dns/wire/wire.ts";
import { atEnd } from "../machine/at-end.ts";
import { record } from "./scripted-primary.ts";

export interface Sections {
  readonly answer?: readonly string[];
  readonly authority?: readonly string[];
  readonly additional?: readonly string[];
}

/** Answers authoritatively by `NAME TYPE`; everything else with NODATA. Returns its port. */
export async function answering(answers: Readonly<Record<string, Sections>>): Promise<number> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  atEnd(() => socket.close());
  socket.on("message", (octets, { address, port }) => {
    const { name, type } = questionOf(octets);
    const { answer = [], authority = [], additional = [] } = answers[`${name} ${type}`] ?? {};
    socket.send(
      compose(
        octets,
        [answer, authority, additional].map((lines) => lines.map(record)),
      ),
      port,
      address,
    );
  });
  return socket.address().port;
}

function questionOf(octets: Uint8Array): { name: string; type: number; end: number } {
  let end = 12;
  while (octets[end] !== 0) end += 1 + octets[end]!;
  const type = (octets[end + 1]! << 8) | octets[end + 2]!;
  return { name: printName(octets.subarray(12, end + 1)).toLowerCase(), type, end: end + 5 };
}

function compose(query: Uint8Array, sections: readonly (readonly ResourceRecord[])[]): Uint8Array {
  const writer = new Writer(new Uint8Array(2048));
  const counts = sections.map(({ length }) => length);
  for (const value of [(query[0]! << 8) | query[1]!, 0x8400, 1, ...counts]) writer.u16(value);
  writer.bytes(query.subarray(12, questionOf(query).end));
  for (const { owner, type, ttl, rdata } of sections.flat()) {
    writer.name(owner, false);
    for (const value of [type.code, Class.IN]) writer.u16(value);
    writer.u32(ttl);
    writer.u16(rdata.length);
    writer.bytes(rdata);
  }
  return writer.octets.slice(0, writer.at);
}
