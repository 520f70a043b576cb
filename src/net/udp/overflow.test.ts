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

test.each(["127.0.0.1", "::1"])(
  "datagrams dropped by a full buffer at %s are counted, for that address and port only",
  async (address) => {
    const [full, other] = [opened(address), opened(address)];
    const sender = createSocket(address === "::1" ? "udp6" : "udp4");
    onTestFinished(() => void sender.close());
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
