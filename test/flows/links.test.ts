/** Linked zones and records from the API to the clients: asked over the wire, and transferred to other servers. */
import { describe, expect, test } from "vitest";
import { output } from "../machine/processes.ts";
import { startApi } from "../service/api.ts";
import { edgeBeside } from "../service/edge.ts";

const api = await startApi();
const { port } = await edgeBeside(api);

const primary = { enabled: true, secondaries: [{ ip: "127.0.0.1" }] };
const dig = async (...words: readonly string[]) => {
  const text = await output("dig", ["@127.0.0.1", "-p", `${port}`, "+noall", "+answer", "+onesoa", ...words]);
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(";"))
    .map((line) => line.replaceAll(/\s+/g, " "));
};
const addresses = async (name: string) => (await dig("+short", name, "A")).toSorted();
const serialOf = async (zone: string) => Number((await dig("+short", zone, "SOA"))[0]?.split(" ")[2]);
const answers = (...list: readonly string[]) => list.map((answer) => ({ answer: [answer] }));

const target = "target.example";
const www = `zones/${target}/www.${target}/A`;
await api.must("PUT", `zones/${target}`, { primary });
await api.must("PUT", www, { ttl: 60, answers: answers("192.0.2.1") });
await api.must("PUT", "zones/zone.test", { link: target });
await api.must("PUT", "zones/own.test", { primary });
await api.must("PUT", "zones/own.test/www.own.test/A", { link: `www.${target}` });
await api.must("PUT", "zones/own.test/short.own.test/A", { link: `www.${target}`, override_ttl: true, ttl: 7 });

describe("a change of a target", () => {
  test("is answered under every name that is linked to it", async () => {
    const names = [`www.${target}`, "www.zone.test", "www.own.test", "short.own.test"];
    for (const list of [["192.0.2.2"], ["192.0.2.3", "192.0.2.4"]]) {
      await api.must("POST", www, { answers: answers(...list) });
      for (const name of names) await expect.poll(() => addresses(name)).toEqual(list);
    }
    expect(await dig("short.own.test", "A")).toContain("short.own.test. 7 IN A 192.0.2.3");
  });

  test("through a feed is answered under linked names too", async () => {
    const { id } = await api.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1", config: {} });
    const feed = await api.must("PUT", `data/feeds/${id}`, { name: "f", config: { label: "f" } });
    const steered = [
      { answer: ["192.0.2.5"], meta: { up: { feed: feed["id"] } } },
      { answer: ["192.0.2.6"], meta: { up: true } },
    ];
    const path = `zones/${target}/up.${target}/A`;
    await api.must("PUT", path, { answers: steered, filters: [{ filter: "up", config: {} }] });
    await api.must("PUT", "zones/own.test/up.own.test/A", { link: `up.${target}` });
    for (const up of [true, false]) {
      await api.must("POST", `feed/${id}`, { f: { up } });
      const expected = up ? ["192.0.2.5", "192.0.2.6"] : ["192.0.2.6"];
      for (const name of ["up.own.test", "up.zone.test"]) {
        await expect.poll(() => addresses(name)).toEqual(expected);
      }
    }
    await api.must("DELETE", "zones/own.test/up.own.test/A");
    await api.must("DELETE", path);
  });
});

describe("a transfer", () => {
  const transfer = (zone: string, type: string) => dig("+tcp", zone, type);

  test("of a zone with linked records has the target's content, complete after each change", async () => {
    await api.must("POST", www, { answers: answers("192.0.2.10", "192.0.2.11") });
    await expect.poll(() => addresses("www.own.test")).toEqual(["192.0.2.10", "192.0.2.11"]);
    const before = await serialOf("own.test");
    expect((await transfer("own.test", "AXFR")).slice(1).toSorted()).toEqual([
      ...(await dig("own.test", "NS")).toSorted(),
      "short.own.test. 7 IN A 192.0.2.10",
      "short.own.test. 7 IN A 192.0.2.11",
      "www.own.test. 60 IN A 192.0.2.10",
      "www.own.test. 60 IN A 192.0.2.11",
    ]);
    await api.must("POST", www, { answers: answers("192.0.2.12") });
    await expect.poll(() => serialOf("own.test")).toBeGreaterThan(before);
    const since = await transfer("own.test", `IXFR=${before}`);
    expect(since).toContain("www.own.test. 60 IN A 192.0.2.12");
    expect(since.join("\n")).not.toContain("192.0.2.10");
  });

  test("of a linked zone has its target's records and differences under its own names", async () => {
    await expect.poll(() => transfer("zone.test", "AXFR")).toContain("www.zone.test. 60 IN A 192.0.2.12");
    const before = await serialOf("zone.test");
    expect(before).toBe(await serialOf(target));
    await api.must("POST", www, { answers: answers("192.0.2.13") });
    await expect.poll(() => serialOf("zone.test")).toBeGreaterThan(before);
    const lines = (await transfer("zone.test", `IXFR=${before}`)).filter((line) => !line.includes(" SOA "));
    expect(lines).toEqual(["www.zone.test. 60 IN A 192.0.2.12", "www.zone.test. 60 IN A 192.0.2.13"]);
  });
});

test("when a zone is disabled, zones linked to it are refused, and records linked to its records have no answers", async () => {
  const status = async (name: string) =>
    /status: (\w+)/.exec(await output("dig", ["@127.0.0.1", "-p", `${port}`, name, "A"]))?.[1];
  await api.must("POST", `zones/${target}`, { disabled: true });
  await expect.poll(() => status("www.zone.test")).toBe("REFUSED");
  expect([await status("www.own.test"), await addresses("www.own.test")]).toEqual(["NOERROR", []]);
  await api.must("POST", `zones/${target}`, { disabled: false });
  await expect.poll(() => addresses("www.own.test")).toEqual(["192.0.2.13"]);
  expect(await status("www.zone.test")).toBe("NOERROR");
});
