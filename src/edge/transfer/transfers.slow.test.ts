/** Whole zones sent to many clients while they change: each is one version, never a mix. */
import { expect, test } from "vitest";
import { output } from "../../../test/machine/processes.ts";
import { startApi } from "../../../test/service/api.ts";
import { edgeBeside } from "../../../test/service/edge.ts";

const zone = "large.example";
const names = 3000;
const api = await startApi();
const { port } = await edgeBeside(api);

/** The records of a round: each has the round's number. */
const put = (round: number) =>
  Array.from({ length: names }, (_, i) => ({
    domain: `h${i}.${zone}`,
    type: "TXT",
    answers: [{ answer: [`round ${round} ${"x".repeat(100)}`] }],
  }));

async function transferred(...flags: readonly string[]) {
  const words = ["@127.0.0.1", "-p", `${port}`, "+noall", "+answer", "+onesoa", "+time=30", zone, "AXFR", ...flags];
  const text = await output("dig", words);
  const rounds = [...text.matchAll(/"round (\d+) /g)].map(([, round]) => round);
  return { rounds: new Set(rounds).size, records: rounds.length, text };
}

test("each of thirty simultaneous transfers of a changing zone sends one version", async () => {
  const primary = { enabled: true, secondaries: [{ ip: "127.0.0.1" }] };
  await api.must("PUT", `zones/${zone}`, { primary });
  const write = async (round: number) => {
    for (let at = 0, all = put(round); at < names; at += 1000) {
      await api.must("POST", `zones/${zone}/records`, { put: all.slice(at, at + 1000) });
    }
  };
  await write(0);
  await expect.poll(() => transferred()).toMatchObject({ records: names });
  // three changes for each round: a version may have records of two rounds, but always all names
  const changing = (async () => {
    for (let round = 1; round <= 3; round++) await write(round);
  })();
  const all = await Promise.all(Array.from({ length: 30 }, () => transferred()));
  await changing;
  for (const { records, rounds } of all) {
    expect(records).toBe(names);
    expect(rounds).toBeLessThanOrEqual(2);
  }
  const serial = (text: string) => /SOA\s+\S+ \S+ (\d+)/.exec(text)?.[1];
  const bySerial = new Map<string, string>();
  for (const { text } of all) {
    const lines = text.split("\n").sort().join("\n");
    const known = bySerial.get(serial(text)!);
    if (known !== undefined) expect(lines).toBe(known);
    bySerial.set(serial(text)!, lines);
  }
});

test("a disabled zone is not transferred, and its records are not revealed", async () => {
  await api.must("POST", `zones/${zone}`, { disabled: true });
  await expect.poll(() => output("dig", ["@127.0.0.1", "-p", `${port}`, zone, "AXFR"])).toContain("Transfer failed");
});
