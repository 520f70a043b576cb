/** Slots of outgoing transfers. */
import { expect, test } from "vitest";
import { type TransferRequest, Transfers } from "./transfers.ts";

function request(account_id: string, network: string): TransferRequest {
  const question = { id: 1, name: Uint8Array.of(0), type: 252, edns: false, block: 0 };
  return {
    question,
    network,
    zone: { account_id, zone_id: "z", zone: "z.example" },
    since: undefined,
    signature: undefined,
  };
}

function holder() {
  return {
    isSlow: false,
    hasLost: false,
    loseSlot() {
      this.hasLost = true;
    },
  };
}

test("an account takes half of the slots, from however many clients; other accounts get theirs", async () => {
  const opened: string[] = [];
  // a zone that is never open, so that its transfer holds its slot
  const transfers = new Transfers(({ account_id }) => {
    opened.push(account_id);
    return new Promise(() => {});
  }, 4);
  const begin = (account: string, network: string, client = holder()) =>
    void transfers.run(request(account, network), client).next();
  const slow = holder();
  for (let n = 0; n < 5; n++) begin("a", `network ${n}`, n === 0 ? slow : holder());
  for (let n = 0; n < 5; n++) begin("b", "network");
  await expect.poll(() => opened).toEqual(["a", "a", "b", "b"]);
  // accounts below their share exceed the number, up to twice
  for (const account of ["c", "d", "e", "f"]) begin(account, "network");
  await expect.poll(() => opened.slice(4)).toEqual(["c", "d", "e", "f"]);
  begin("g", "network");
  slow.isSlow = true;
  begin("h", "network");
  await expect.poll(() => opened.slice(8)).toEqual(["h"]);
  expect(slow.hasLost).toBe(true);
});
