/** A worker with as many connections as it may have closes those of the network with the most. */
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { addressOctets, familyOf } from "../socket/address.ts";
import { Connections, type OpenConnection } from "./connections.ts";

const most = 1000;

function open() {
  const connections = new Connections({ connections: most, perAddress: 250 }, () => {});
  const of = (address: string): OpenConnection => {
    const connection = connections.add(new Socket());
    connections.assign(connection, { family: familyOf(address), address: addressOctets(address), port: 1 });
    return connection;
  };
  const many = (count: number, addressOf: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => of(addressOf(at)));
  return { connections, of, many };
}

const closed = (list: readonly OpenConnection[]) => list.filter(({ socket }) => socket.destroyed).length;

test("four addresses that fill all places and ask all the time close only each other's connections", () => {
  const { connections, of, many } = open();
  const victims = Array.from({ length: 20 }, (_, at) => of(`192.0.2.${at}`));
  const attackers = many(most, (at) => `198.51.100.${at % 4}`);
  for (let round = 0; round < 10; round++) {
    for (const one of attackers) if (!one.socket.destroyed) connections.touch(one);
    attackers.push(...many(100, (at) => `198.51.100.${at % 4}`));
  }
  expect([closed(victims), closed(attackers), connections.size]).toEqual([0, 1020, most]);
  // a new client, too, gets a place and keeps it
  const late = of("203.0.113.1");
  attackers.push(...many(100, (at) => `198.51.100.${at % 4}`));
  expect([closed(victims), closed([late])]).toEqual([0, 0]);
});

test("a thousand /64 networks of one /48 close only their own connections", () => {
  const { connections, of, many } = open();
  const victims = ["2001:db8:1::1", "2001:db8:1::2", "2001:db8:2::1", "192.0.2.1"].map((address) => of(address));
  const attackers = many(2000, (at) => `2001:db8:bad:${at.toString(16)}::1`);
  expect([closed(victims), closed(attackers), connections.size]).toEqual([0, 1004, most]);
});

test("in a network, the host with the most connections loses one", () => {
  const { of, many } = open();
  const neighbour = of("2001:db8:bad:1::1");
  const attackers = many(1500, (at) => `2001:db8:bad:${100 + (at % 5)}::1`);
  expect([closed([neighbour]), closed(attackers)]).toEqual([0, 501]);
});

test("among clients with one connection each, the quietest is closed", () => {
  const { connections, of, many } = open();
  const all = many(most, (at) => `10.0.${at >> 8}.${at & 255}`);
  connections.touch(all[0]!);
  of("192.0.2.1");
  expect([closed(all), all[1]!.socket.destroyed]).toEqual([1, true]);
});

test("connections whose client a proxy has not named yet are one network", () => {
  const { connections, of } = open();
  const victim = of("192.0.2.1");
  const waiting = Array.from({ length: 1200 }, () => connections.add(new Socket()));
  expect([closed([victim]), closed(waiting)]).toEqual([0, 201]);
});

test("an address keeps its newest connections", () => {
  const { connections, many } = open();
  const own = many(300, () => "192.0.2.1");
  expect([closed(own.slice(0, 50)), connections.size]).toEqual([50, 250]);
});
