import { expect, test } from "vitest";
import { TransferRoom } from "./room.ts";

const room = () =>
  new TransferRoom({ own: { records: 10, octets: 1000, large: 1 }, all: { records: 15, octets: 1500, large: 2 } });
const full = "other transfers take up the room";

test("an account's transfers share its room, and all transfers theirs", () => {
  const rooms = room();
  const [first, second, third] = [rooms.enter("one"), rooms.enter("one"), rooms.enter("two")];
  first.take({ records: 6, octets: 0 });
  expect(() => second.take({ records: 5, octets: 0 })).toThrow(full);
  second.clear();
  third.take({ records: 9, octets: 1000 });
  expect(() => second.take({ records: 0, octets: 501 })).toThrow(full);
});

test("what has left makes room", () => {
  const rooms = room();
  const first = rooms.enter("one");
  first.take({ records: 10, octets: 1000 });
  const next = rooms.enter("one");
  expect(() => next.take({ records: 1, octets: 0 })).toThrow(full);
  first.leave();
  expect(() => next.take({ records: 1, octets: 0 })).not.toThrow();
});

test("so many go on to the store: of an account, and of all", () => {
  const rooms = room();
  rooms.enter("one").enlarge();
  const next = rooms.enter("one");
  expect(() => next.enlarge()).toThrow(full);
  // it goes on with another server, and takes no place that others could have
  rooms.enter("two").enlarge();
  expect(() => rooms.enter("three").enlarge()).toThrow(full);
});
