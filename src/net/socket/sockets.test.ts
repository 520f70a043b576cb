import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { closeFd, duplicateFd, localAddress, openTcp, openUdp } from "./sockets.ts";

describe("sockets", () => {
  test("UDP sockets share an address and port, of either family", () => {
    for (const address of ["127.0.0.1", "::1", "0.0.0.0", "::"]) {
      const first = openUdp(address, 0);
      const { port } = localAddress(first);
      const second = openUdp(address, port);
      expect(localAddress(second)).toEqual(localAddress(first));
      closeFd(first);
      closeFd(second);
    }
  });

  test("IPv4 and IPv6 wildcard sockets can share a port", () => {
    const first = openTcp("0.0.0.0", 0);
    const { port } = localAddress(first);
    const second = openTcp("::", port);
    expect(localAddress(second)).toMatchObject({ family: 6, port });
    closeFd(first);
    closeFd(second);
  });

  test("the error for a used TCP port has the address, the port and the reason", () => {
    const fd = openTcp("127.0.0.1", 0);
    const { port } = localAddress(fd);
    expect(() => openTcp("127.0.0.1", port)).toThrow(
      `127.0.0.1:${port} (TCP) is in use by another process: EADDRINUSE`,
    );
    closeFd(fd);
  });

  test("the error for an address of another machine has the address and the reason", () => {
    expect(() => openUdp("203.0.113.9", 20_053)).toThrow(
      "203.0.113.9:20053 (UDP) is not an address of this machine: EADDRNOTAVAIL",
    );
    expect(() => openUdp("2001:db8::9", 20_053)).toThrow("[2001:db8::9]:20053 (UDP)");
  });

  test("a failed open leaves no descriptor", () => {
    const next = () => {
      const fd = openUdp("127.0.0.1", 0);
      closeFd(fd);
      return fd;
    };
    const before = next();
    expect(() => openUdp("203.0.113.9", 20_053)).toThrow();
    expect(next()).toBe(before);
  });

  test("a descriptor that is not a socket is refused", () => {
    expect(() => localAddress(0)).toThrow("descriptor 0 is not");
    expect(() => duplicateFd(99_999)).toThrow("descriptor 99999: EBADF");
  });

  test("a child process answers on the descriptor that it inherited", async () => {
    const fd = openTcp("127.0.0.1", 0);
    const code = `require("node:net").createServer((s) => s.end("from the child")).listen({ fd: 4 });`;
    const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "inherit", "inherit", "ignore", fd] });
    const socket = connect(localAddress(fd).port, "127.0.0.1");
    const [octets] = await once(socket, "data");
    expect(String(octets)).toBe("from the child");
    child.kill();
    closeFd(fd);
  });
});
