import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { closeFd, localAddress, openUdp } from "../socket/sockets.ts";
import { countOverflows } from "./overflow.ts";

function opened(address: string) {
  const fd = openUdp(address, 0);
  onTestFinished(() => closeFd(fd));
  return { address, port: localAddress(fd).port };
}

function socketOf(address: string) {
  const socket = createSocket(address === "::1" ? "udp6" : "udp4");
  onTestFinished(() => void socket.close());
  return socket;
}

test.each(["127.0.0.1", "::1"])(
  "datagrams dropped by a full buffer at %s are counted, for that address and port only",
  async (address) => {
    const full = opened(address);
    const [sender, idle] = [socketOf(address), socketOf(address)];
    // without SO_REUSEPORT, so no other process has the port
    idle.bind(0, address);
    await once(idle, "listening");
    const other = { address, port: idle.address().port };
    sender.connect(full.port, address);
    await once(sender, "connect");
    for (let round = 0; round < 200 && countOverflows([full]) === 0; round++) {
      const sent = Array.from(
        { length: 100 },
        () => new Promise<void>((done) => sender.send(Buffer.alloc(1400), () => done())),
      );
      await Promise.all(sent);
    }
    expect(countOverflows([full])).toBeGreaterThan(0);
    expect(countOverflows([other])).toBe(0);
    expect(countOverflows([full, other])).toBe(countOverflows([full]));
  },
);
