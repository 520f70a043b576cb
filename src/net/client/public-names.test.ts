/** A resolver's answers about delegations, and those that say nothing. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { publicNames } from "./public-names.ts";

const denied = 3;
const failed = 2;

/** A resolver that answers for NS with these RCODEs, or with a server; names that are not listed do not exist. */
async function resolver(names: Readonly<Record<string, number | "servers" | "nothing">>) {
  const socket = createSocket("udp4");
  await once(socket.bind(0, "127.0.0.1"), "listening");
  onTestFinished(() => void socket.close());
  socket.on("message", (query, { port, address }) => {
    let at = 12;
    const labels: string[] = [];
    while (query[at] !== 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + query[at]!));
      at += 1 + query[at]!;
    }
    const question = query.subarray(12, at + 5);
    const answer = names[labels.join(".").toLowerCase()] ?? denied;
    const record = Buffer.from([0xc0, 12, 0, 2, 0, 1, 0, 0, 0, 60, 0, 6, 2, 0x6e, 0x73, 1, 0x78, 0]);
    const hasRecord = answer === "servers";
    const head = Buffer.from([
      query[0]!,
      query[1]!,
      0x81,
      0x80 | (typeof answer === "number" ? answer : 0),
      0,
      1,
      0,
      Number(hasRecord),
      0,
      0,
      0,
      0,
    ]);
    socket.send(Buffer.concat([head, question, hasRecord ? record : Buffer.alloc(0)]), port, address);
  });
  const asked = publicNames([`127.0.0.1:${socket.address().port}`]);
  onTestFinished(() => asked.close());
  return asked;
}

test("a name without NS records is delegated to nobody", async () => {
  const names = await resolver({ com: "servers", "empty.example": "nothing", "zone.example": "servers" });
  expect(await names.isUndelegated("not.example")).toBe(true);
  expect(await names.isUndelegated("empty.example")).toBe(true);
  expect(await names.isUndelegated("zone.example")).toBe(false);
});

test("a failure says nothing, and neither does a resolver without the public DNS", async () => {
  const names = await resolver({ com: "servers", "lame.example": failed });
  expect(await names.isUndelegated("lame.example")).toBeUndefined();
  expect(await names.isUndelegated("a\\.b.example")).toBeUndefined();
  for (const com of [denied, failed, "nothing"] as const) {
    expect(await (await resolver({ com })).isUndelegated("not.example")).toBeUndefined();
  }
}, 30_000);
