/** Data on which the engine fails: the name is reverted, also after restarts and crashes, until it changes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../engine/states.ts";
import { kill } from "../faults/kill.ts";
import { PatchedTree } from "../machine/patched.ts";
import { freePort } from "../machine/processes.ts";
import { type Service, service } from "../service/kit.ts";

/** Addresses on which the engine throws or spins, by their last octet. */
const fatal = { throws: 66, spins: 67 } as const;
const place = "if (!message.add(Section.answer, rrset, name, 0, ownTtl)) message.truncated = true;";
const last = "rrset.octets[rrset.end - 1]";
const mutant = {
  what: "the engine fails on some addresses",
  file: "src/answer/reply/answer.ts",
  from: place,
  to: `while (${last} === ${fatal.spins}); if (${last} === ${fatal.throws}) throw new Error("seeded"); ${place}`,
};

const [zone, other] = ["one.example", "two.example"];
const patient = { timeout: 60_000, interval: 100 };
const patched = new PatchedTree();
const data = mkdtempSync(join(tmpdir(), "fairlead-quarantine-"));
let ports: { http: number; dns: number };
let running: Service;

const start = async () => {
  running = await service({ data, ports, sources: patched.path });
};

const answered = (domain: string) =>
  ask({ address: "127.0.0.1", port: ports.dns, timeout: 1000, attempts: 2 }, `${domain} A`).catch(String);

async function heldNames(): Promise<unknown> {
  const ready = await fetch(`${running.operator}/readyz`).then((reply) => reply.json());
  return (ready as { edge: { quarantined?: { names: unknown } } }).edge.quarantined?.names;
}

/**
 * Expects that the name has its answer from before the last change and is reported, and the usual answer from the other
 * zone.
 */
async function expectHeld(): Promise<void> {
  const met = async () => [await answered(`www.${zone}`), await heldNames()];
  await expect.poll(met, patient).toEqual(["NOERROR 192.0.2.1", [`www.${zone}`]]);
  expect(await answered(`www.${other}`)).toBe("NOERROR 192.0.2.1");
}

beforeAll(async () => {
  ports = { http: await freePort(), dns: await freePort() };
  await patched.with(mutant, start);
  for (const name of [zone, other]) {
    await running.zone(name);
    await running.put(name, `www.${name} A`, ["192.0.2.1"]);
    await running.daemon.until(async () => (await answered(`www.${name}`)) === "NOERROR 192.0.2.1");
  }
});

afterAll(async () => {
  await running?.stop();
  rmSync(data, { recursive: true, force: true });
  patched[Symbol.dispose]();
});

test.each(Object.entries(fatal))(
  "a name on which the engine %s is reverted, and stays reverted",
  async (_how, octet) => {
    await running.put(zone, `www.${zone} A`, [`192.0.2.${octet}`]);
    await expectHeld();

    await running.stop();
    await patched.with(mutant, start);
    await expectHeld();

    kill(running, "everything", Math.random);
    await expect.poll(() => running.daemon.ended, patient).toBe(true);
    await patched.with(mutant, start);
    await expectHeld();

    await running.put(zone, `www.${zone} A`, ["192.0.2.1"]);
    await expect.poll(heldNames, patient).toEqual([]);
    expect(await answered(`www.${zone}`)).toBe("NOERROR 192.0.2.1");
  },
);

test("a fault right before a crash occurs again after the restart, and the name is reverted again", async () => {
  await running.put(zone, `www.${zone} A`, [`192.0.2.${fatal.throws}`]);
  await expect.poll(() => answered(`www.${zone}`), patient).toMatch(/SERVFAIL|192.0.2.1/);
  kill(running, "everything", Math.random);
  await expect.poll(() => running.daemon.ended, patient).toBe(true);
  await patched.with(mutant, start);
  await expectHeld();
});
