/**
 * A program on a client's machine: sends Ethernet frames, given in hexadecimal, through its card. Prints those that come
 * back from port 53 within half a second, one a line.
 */
import { setTimeout as delay } from "node:timers/promises";
import koffi from "koffi";
import { libc, linux } from "../../../src/lib/system/libc.ts";

const packet = { family: 17, everything: 0x0300 } as const;
const [, , card = "", ...frames] = process.argv;
const library = koffi.load("libc.so.6");
const recv = library.func("long recv(int, _Out_ uint8_t *, size_t, int)");
const sendto = library.func("long sendto(int, const void *, size_t, int, const void *, uint)");

const fd = libc().socket(packet.family, linux.SOCK_RAW, packet.everything);
const address = new DataView(new ArrayBuffer(20));
address.setUint16(0, packet.family, true);
address.setUint16(2, packet.everything, true);
address.setUint32(4, libc().if_nametoindex(card), true);
const to = new Uint8Array(address.buffer);
if (libc().bind(fd, to, to.length) < 0) throw new Error("bind");
for (const frame of frames) {
  const octets = Buffer.from(frame, "hex");
  if (sendto(fd, octets, octets.length, 0, to, to.length) !== octets.length) throw new Error("sendto");
}
const buffer = new Uint8Array(2048);
for (const end = performance.now() + 500; performance.now() < end; ) {
  const length = recv(fd, buffer, buffer.length, linux.MSG_DONTWAIT);
  if (length < 0) await delay(5);
  else {
    const frame = Buffer.from(buffer.subarray(0, length));
    const port = frame.readUInt16BE(12) === 0x0800 ? 34 : 54;
    if (length > port + 2 && frame.readUInt16BE(port) === 53) process.stdout.write(`${frame.toString("hex")}\n`);
  }
}
