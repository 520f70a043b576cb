/** A zone with every record type: three tools print the same text whether Fairlead or NSD answers them. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { typeNamed } from "../../src/dns/type-names.ts";
import { types } from "../../src/dns/types.ts";
import { output } from "../machine/processes.ts";
import { type Service, service } from "../service/kit.ts";
import { type Nsd, startNsd } from "./nsd.ts";
import { samples, sampleZone, zoneFileLine } from "./samples.ts";

const ttl = 1234;
let ours: Service;
let theirs: Nsd;

beforeAll(async () => {
  ours = await service();
  await ours.zone(sampleZone);
  for (const { owner, type, answer } of samples) {
    const method = owner === sampleZone ? "POST" : "PUT";
    const record = { zone: sampleZone, domain: owner, type, ttl, answers: [{ answer }] };
    const reply = await ours.api(method, `zones/${sampleZone}/${owner}/${type}`, record);
    expect(reply, `${type}: ${JSON.stringify(reply.body)}`).toMatchObject({ status: 200 });
  }
  // the last write is served once the serial has moved past it; the peer then loads the same SOA
  const last = samples.at(-1)!;
  await vi.waitFor(async () => expect(await ours.ask(`${last.owner} ${last.type}`)).toHaveLength(1));
  const soa = await ours.ask(`${sampleZone} SOA`);
  const records = samples.map((sample) => zoneFileLine(sample, ttl));
  theirs = await startNsd([{ name: `${sampleZone}.`, text: `${[...soa, ...records].join("\n")}\n` }]);
});

afterAll(async () => {
  await theirs?.stop();
  await ours?.stop();
});

test("every type that is served as written has a sample", () => {
  const served = Object.values(types).filter((type) => type.served === "as-is" && type.writable);
  const sampled = new Set(samples.map((sample) => sample.type));
  expect(served.map((type) => type.name).filter((name) => !sampled.has(name))).toEqual([]);
});

const numbered = (type: string) => `TYPE${typeNamed(type)?.code}`;

const tools = {
  dig: (port: number, name: string, type: string) => ["@127.0.0.1", "-p", `${port}`, name, type],
  // by number, since kdig and drill have no name for some
  kdig: (port: number, name: string, type: string) => ["@127.0.0.1", "-p", `${port}`, name, numbered(type)],
  drill: (port: number, name: string, type: string) => ["-p", `${port}`, "@127.0.0.1", name, numbered(type)],
};

describe.each(Object.entries(tools))("%s", (tool, args) => {
  const answer = async (port: number, name: string, type: string) => {
    const printed = await output(tool, args(port, name, type));
    const section = /^;; ANSWER SECTION:\n(.*?)\n\n/ms.exec(printed)?.[1] ?? `no answer section in\n${printed}`;
    return section
      .split("\n")
      .map((line) => line.replace(/\s+/g, " "))
      .sort();
  };

  test.each([...samples, { owner: sampleZone, type: "SOA" }])(
    "prints $type alike from both servers",
    async ({ owner, type }) => {
      const shown = await answer(ours.port, owner, type);
      expect(shown).toEqual(await answer(theirs.port, owner, type));
      expect(shown[0]).toContain(`${owner}. ${type === "SOA" ? "" : ttl}`);
    },
  );
});
