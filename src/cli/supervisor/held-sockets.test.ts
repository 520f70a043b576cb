/** The sockets of a service: taken once, adopted by their address, and kept elsewhere. */
import { afterEach, expect, test } from "vitest";
import { closeFd, duplicateFd, identify, localAddress, openTcp, openUdp } from "../../net/socket/sockets.ts";
import { HeldSockets, type Keeper } from "./held-sockets.ts";

const held: HeldSockets[] = [];
afterEach(() => {
  for (const one of held.splice(0)) one.closeAll();
});
const make = () => {
  const one = new HeldSockets();
  held.push(one);
  return one;
};

const recording = () => {
  const calls: string[] = [];
  const keeper: Keeper = {
    keep: (name, fds) => calls.push(`keep ${name} ${fds.length}`),
    forget: (name) => calls.push(`forget ${name}`),
  };
  return { calls, keeper };
};
const never = () => {
  throw new Error("opens nothing");
};
const endpointOf = (fd: number, address: string) => ({ address, port: localAddress(fd).port });

test("sockets that were passed are taken by their address, however it is written, and twice the same is one", () => {
  const [first, second] = [openUdp("::1", 0), openTcp("127.0.0.1", 0)];
  const sockets = make();
  sockets.adopt([
    { fd: first, name: "fairlead.socket" },
    { fd: duplicateFd(first), name: "udp-__1_53" },
    { fd: second, name: undefined },
  ]);
  const endpoint = endpointOf(first, "0:0::1");
  expect([sockets.has("udp", endpoint), sockets.has("tcp", endpoint)]).toEqual([true, false]);
  expect(sockets.take("udp", endpoint, never)).toEqual([first]);
  const { calls, keeper } = recording();
  sockets.keepIn(keeper);
  expect(calls[0]).toBe(`keep udp-0_0__1_${endpoint.port} 1`);
  const { port } = localAddress(second);
  expect(sockets.closeUntaken()).toEqual([`tcp 127.0.0.1:${port}`]);
  expect(identify(second)).toBeUndefined();
});

test("a keeper hears of what is opened and closed, and keeps everything at the end", () => {
  const sockets = make();
  const { calls, keeper } = recording();
  sockets.keepIn(keeper);
  const free = openTcp("127.0.0.1", 0);
  const endpoint = endpointOf(free, "127.0.0.1");
  closeFd(free);
  const open = () => [openTcp(endpoint.address, endpoint.port)];
  const [fd] = sockets.take("tcp", endpoint, open);
  expect(sockets.take("tcp", endpoint, never)).toEqual([fd]);
  sockets.close((fds) => fds.includes(fd!));
  sockets.take("tcp", endpoint, open);
  sockets.closeAll();
  const name = `tcp-127.0.0.1_${endpoint.port}`;
  expect(calls).toEqual([`keep ${name} 1`, `forget ${name}`, `keep ${name} 1`]);
});

test("one socket is not for DNS and for the API", () => {
  const sockets = make();
  const fd = openTcp("127.0.0.1", 0);
  const endpoint = endpointOf(fd, "127.0.0.1");
  sockets.adopt([{ fd, name: undefined }]);
  sockets.take("http", endpoint, never);
  expect([sockets.has("http", endpoint), sockets.has("tcp", endpoint)]).toEqual([true, false]);
  expect(() => sockets.take("tcp", endpoint, never)).toThrow(`127.0.0.1:${endpoint.port} is named twice`);
});
