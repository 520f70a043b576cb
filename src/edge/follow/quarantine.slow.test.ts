/** Data that make workers throw or spin: other workers answer, and the name is reverted, and stays so in a snapshot. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ask, baselineOf, changeSet, recordState, zoneState } from "../../../test/engine/states.ts";
import { startWorkers } from "../../../test/network/workers.ts";
import { silent } from "../../../test/store/store.ts";
import { blockMade, blockPrevious, unitBits } from "../../answer/image/memory/layout.ts";
import { wordAt } from "../../answer/image/memory/memory.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { Snapshots } from "../snapshot/snapshots.ts";
import type { EdgeState } from "./state.ts";

const zone = zoneState("one.example");
const other = zoneState("two.example");
const record = (label: string, address: string, of = zone) => recordState(of, `${label}.${of.zone}`, "A", [address]);
const put = (label: string, address: string) => ({ kind: "record", record: record(label, address) }) as const;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(directory?: string) {
  const baseline = baselineOf([zone, other], [record("www", "192.0.2.1"), record("www", "192.0.2.9", other)]);
  const { server, ...started } = await startWorkers({ count: 2, baseline, directory, cleanups });
  const answer = (question: string) => ask({ ...server, timeout: 1000 }, question).catch(() => "nothing");
  return { ...started, answer };
}

/** Damages the node of a name, like a bug could. */
function damage(state: EdgeState, domain: string, previous: (node: number) => number): void {
  const share = state.share()!;
  const reader = new ImageReader(share, 63);
  reader.enter();
  const key = reader.key();
  key.load(nameFromApi(domain), 0);
  const data = reader.dataOf(reader.findZone(0, key, 0));
  key.fold(data, reader.apex);
  const node = reader.findNode(data, key, 0, reader.apex);
  reader.leave();
  const segment = new Int32Array(share.segments.find((one) => one.segment === node >>> unitBits)!.octets);
  segment[wordAt(node) + blockPrevious] = previous(node);
  // visible from this revision on, so readers look for the previous version
  segment[wordAt(node) + blockMade] = 0x3fffffff;
}

/** The previous version is outside of the memory. */
const nowhere = () => 0x7fffffff;
/** The previous version is the same node. */
const itself = (node: number) => node;

describe("a name whose data make the engine throw", () => {
  test("is reverted, and stays reverted in a snapshot", async () => {
    const directory = mkdtempSync(join(tmpdir(), "fairlead-quarantine-"));
    cleanups.push(() => rmSync(directory, { recursive: true }));
    const { state, answer } = await start();
    state.apply([changeSet(2, [put("www", "192.0.2.2")], { [zone.id]: 2 })]);
    damage(state, "www.one.example", nowhere);
    expect(await answer("www.one.example A")).toBe("SERVFAIL");
    await expect.poll(() => answer("www.one.example A")).toBe("NOERROR 192.0.2.1");
    const { version } = state.quarantine;
    expect(version).toBe(1);
    const image = state.image()!;
    const quarantined = state.quarantine.list();
    const snapshots = new Snapshots(directory, "all", silent);
    expect(await snapshots.write(() => ({ revision: 2, store: "store", currentAt: 1, image, quarantined }))).toBe(true);
    const second = await start(directory);
    expect(await second.answer("www.one.example A")).toBe("NOERROR 192.0.2.1");
    expect(second.state.quarantine.status()).toEqual({ names: ["www.one.example"], zones: [] });
    second.state.apply([changeSet(3, [put("www", "192.0.2.3")], { [zone.id]: 3 })]);
    expect(await second.answer("www.one.example A")).toBe("NOERROR 192.0.2.3");
    expect(second.state.quarantine.list()).toEqual([]);
  });

  test("causes its zone to be shut when there is no earlier state; other zones are answered", async () => {
    const { state, answer } = await start();
    damage(state, "www.one.example", nowhere);
    await expect
      .poll(() => answer("www.one.example A").then(() => state.quarantine.status().zones))
      .toEqual(["one.example"]);
    expect(await answer("other.one.example A")).toBe("SERVFAIL");
    expect(await answer("www.two.example A")).toBe("NOERROR 192.0.2.9");
  });
});

test("a worker that spins at a name is replaced while the other worker answers, and the name is reverted", async () => {
  const { state, workers, answer } = await start();
  state.apply([changeSet(2, [put("www", "192.0.2.2")], { [zone.id]: 2 })]);
  damage(state, "www.one.example", itself);
  const spinning = answer("www.one.example A");
  await expect.poll(() => answer("www.two.example A")).toBe("NOERROR 192.0.2.9");
  await spinning;
  await expect.poll(() => answer("www.one.example A")).toBe("NOERROR 192.0.2.1");
  expect(workers.slots.reduce((sum, { spins }) => sum + spins, 0)).toBeGreaterThan(0);
  expect(state.quarantine.status()).toEqual({ names: ["www.one.example"], zones: [] });
});
