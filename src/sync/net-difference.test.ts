/** Several steps of a history as one net difference. */
import { expect, test } from "vitest";
import { NetDifference } from "./net-difference.ts";

const record = (domain: string, ttl: number) => ({ kind: "record", record: { domain, type: "A", ttl } }) as const;
const zone = (ttl: number) => ({ kind: "zone", ttl }) as const;

test("each entry occurs once, with its first and last states, even if it was added and then removed", () => {
  const net = new NetDifference<ReturnType<typeof record> | ReturnType<typeof zone>>();
  net.add({ removed: [zone(1)], added: [zone(2), record("new", 1), record("brief", 1)] });
  net.add({ removed: [record("old", 1), record("brief", 1)], added: [record("old", 2)] });
  net.add({ removed: [record("old", 2), zone(2)], added: [zone(3)] });
  expect(Object.fromEntries(net.entries)).toEqual({
    "": { before: zone(1), after: zone(3) },
    "new A": { before: undefined, after: record("new", 1) },
    "brief A": { before: undefined, after: undefined },
    "old A": { before: record("old", 1), after: undefined },
  });
});
