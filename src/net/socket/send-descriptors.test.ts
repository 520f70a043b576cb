/** Datagrams with descriptors, received as systemd receives them. */
import { fstatSync } from "node:fs";
import { expect, test } from "vitest";
import { type Notification, NotifySocket } from "../../../test/machine/notify-socket.ts";
import { sendDescriptors } from "./send-descriptors.ts";
import { closeFd, identify, identityOf, localAddress, openTcp, openUdp } from "./sockets.ts";

test("a receiver gets the text, the sender, and descriptors of the same sockets", async () => {
  const received: Notification[] = [];
  const socket = new NotifySocket((notification) => received.push(notification));
  const sent = [openUdp("127.0.0.1", 0), openTcp("::1", 0), openUdp("0.0.0.0", 0)];
  sendDescriptors(socket.name, "READY=1");
  sendDescriptors(socket.name, "FDSTORE=1\nFDNAME=udp-127.0.0.1_53", sent);
  await expect.poll(() => received.length).toBe(2);
  socket.close();
  const [first, second] = received;
  expect(first).toEqual({ text: "READY=1", pid: process.pid, descriptors: [] });
  expect(second).toMatchObject({ text: "FDSTORE=1\nFDNAME=udp-127.0.0.1_53", pid: process.pid });
  const inode = (fd: number) => fstatSync(fd).ino;
  expect(second!.descriptors.map(inode)).toEqual(sent.map(inode));
  for (const fd of [...sent, ...second!.descriptors]) closeFd(fd);
});

test("a socket that nobody has is an error that names it", () => {
  expect(() => sendDescriptors("@fairlead-nobody", "READY=1")).toThrow(
    "no message can be sent to @fairlead-nobody: ECONNREFUSED",
  );
  expect(() => sendDescriptors("/nowhere/notify", "READY=1")).toThrow("ENOENT");
});

test("a socket is identified by kind and address, whoever opened it", () => {
  for (const address of ["127.0.0.1", "::1", "0.0.0.0", "::"]) {
    for (const [kind, open] of [["udp", openUdp] as const, ["tcp", openTcp] as const]) {
      const fd = open(address, 0);
      expect(identify(fd)).toBe(identityOf(kind, address, localAddress(fd).port));
      closeFd(fd);
    }
  }
  expect(identify(0)).toBeUndefined();
});
