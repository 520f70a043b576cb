/** Turns in the queue of password checks: accounts take turns, and so do the addresses of each account. */
import { beforeEach, expect, test } from "vitest";
import { secretsFrom } from "../../../lib/secrets.ts";
import { PasswordQueue } from "./password-queue.ts";
import { runInQueue } from "./proofs.ts";

// fixed: with random secrets, one pair of accounts in 256 would share a party
const secrets = secretsFrom([Buffer.alloc(32)]);
const credentials = { key: undefined, session: undefined, csrf: undefined, safe: true };
let queue: PasswordQueue;
/** The requests, in the order in which their work ran. */
let ran: string[];
beforeEach(() => {
  queue = new PasswordQueue();
  ran = [];
});

const wait = (account: string, network: string, bucket = network) => {
  const sender = { address: `${bucket}1`, bucket, network, agent: "", credentials };
  return runInQueue({ secrets, passwordQueue: queue, sender }, account, async () => ran.push(`${account} ${network}`));
};
const crowd = () => Array.from({ length: 20 }, () => wait("crowded", "2001:db8::"));

test("a user of another account passes before the rest of a crowd", async () => {
  await Promise.all([...crowd(), wait("quiet", "2001:db8::")]);
  expect(ran.indexOf("quiet 2001:db8::")).toBeLessThan(5);
  expect(ran).toHaveLength(21);
});

test("a crowd from many addresses of one network takes the turns of one", async () => {
  const many = Array.from({ length: 20 }, (_, n) => wait("crowded", "2001:db8::", `2001:db8:0:${n}::`));
  await Promise.all([...many, wait("crowded", "2001:db8:1::")]);
  expect(ran.indexOf("crowded 2001:db8:1::")).toBeLessThan(5);
});

test("a user of the same account from another address passes too", async () => {
  await Promise.all([...crowd(), wait("crowded", "2001:db8:1::")]);
  expect(ran.indexOf("crowded 2001:db8:1::")).toBeLessThan(5);
  expect(ran).toHaveLength(21);
});
