/** `fairlead demo` and `fairlead explain` against a running service: every command that the demo prints is pasted. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort, output, run } from "../machine/processes.ts";
import { node, type Service, service, tree } from "../service/kit.ts";

interface Step {
  readonly command: string;
  readonly shows: string;
}

const bin = join(tree, "bin/fairlead.js");
const zone = "demo.fairlead.test";
/** The directory in which commands are pasted. */
const place = mkdtempSync(join(tmpdir(), "fairlead-demo-"));
const data = join(place, "data");
let ports: { http: number; dns: number };
let running: Service;

const flags = () => ["--http", `127.0.0.1:${ports.http}`, "--data", data];
const demo = (cwd = place) => output(node, [bin, "demo", ...flags(), "--dns", `127.0.0.1:${ports.dns}`], { cwd });
const explain = (...args: readonly string[]) => output(node, [bin, "explain", ...flags(), ...args]);
const start = async (...more: readonly string[]) => {
  running = await service({ data, ports, flags: more });
};

/** The commands of a demo, indented by two blanks, each with its announced output. */
const stepsOf = (printed: string): Step[] =>
  [...printed.matchAll(/^ {2}(\S.*)\n(?: {6}(.*))?/gm)].map(([, command = "", shows = ""]) => ({ command, shows }));

/** Runs the commands in order in one shell session; commands whose output is announced exactly must print it. */
async function paste(steps: readonly Step[], cwd: string) {
  const [key, ...rest] = steps;
  for (const { command, shows } of rest) {
    const once = () => output("bash", ["-c", `${key?.command}\n${command}`], { cwd });
    if (/^[\d.]+$/.test(shows)) await expect.poll(once, { timeout: 5000 }).toBe(`${shows}\n`);
    else if (shows.startsWith("{")) expect(await once()).toBe(`${shows}\n`);
    else await once();
  }
}

beforeAll(async () => {
  ports = { http: await freePort(), dns: await freePort() };
  await start();
});

afterAll(async () => {
  await running.stop();
  rmSync(place, { recursive: true });
});

describe("the demo", () => {
  let printed = "";

  test("prints its steps, and commands that work when pasted", async () => {
    printed = await demo();
    expect(printed).toMatch(new RegExp(`^zone ${zone} +created$`, "m"));
    const steps = stepsOf(printed);
    expect(steps.length).toBeGreaterThan(20);
    await paste(steps, place);
    expect(readFileSync(join(place, "demo-geo.csv"), "utf8")).toMatch(/^prefix,/);
  });

  test("changes nothing when it runs again", async () => {
    const serial = async () =>
      (await running.api<{ serial: number }>("GET", `zones/${zone}?records=false`)).body.serial;
    const before = await serial();
    const again = await demo();
    expect(again).toMatch(new RegExp(`^zone ${zone} +exists$`, "m"));
    expect(again).toMatch(/^records +unchanged$/m);
    expect(stepsOf(again)).toEqual(stepsOf(printed));
    expect(await serial()).toBe(before);
  });

  test("shows places in dig when the service has the geo file that it prints", async () => {
    await running.stop();
    await start("--geo", join(place, "demo-geo.csv"));
    const steps = stepsOf(await demo(tree));
    const geo = steps.filter(({ command }) => command.includes(`geo.${zone} A +short`)).map(({ shows }) => shows);
    expect(geo).toEqual(["203.0.113.11", "203.0.113.12"]);
    expect(steps.some(({ command }) => command.startsWith("npx fairlead explain "))).toBe(true);
    await paste(steps, tree);
  });
});

describe("explain on the command line", () => {
  test("prints lookup, filters, answer and scope", async () => {
    const text = await explain(`geo.${zone}`, "A", "--subnet", "192.0.2.0/24");
    expect(text).toContain(`look-up of geo.${zone}: answer, zone ${zone}\n`);
    expect(text).toContain("geotarget_regional: #0 #1 #2 -> #1 ");
    expect(text).toMatch(/^ +georegion +US-EAST +from 24 bits/m);
    expect(text).toContain("client subnet 192.0.2.0/24: the answer is valid for /24\n");
  });

  test("accepts an invented location, draws, and every country", async () => {
    expect(await explain(`geo.${zone}`, "--country", "JP")).toContain(" A  203.0.113.13\n");
    expect(await explain(`weights.${zone}`, "--draws", "5000", "--seed", "3")).toMatch(/5[0-9.]+ %|4[89]\.\d %/);
    expect(await explain(`geo.${zone}`, "--matrix")).toMatch(/203\.0\.113\.12: \d+ countries\n(.*\n)* {4}.*\bUS\b/);
    expect(JSON.parse(await explain(`geo.${zone}`, "--json"))).toMatchObject({ rcode: "NOERROR", warnings: [] });
  });

  test("reports errors", async () => {
    const refused = async (...args: readonly string[]) => (await run(node, [bin, "explain", ...args])).err;
    expect(await refused(...flags(), `geo.${zone}`, "--draws", "many")).toMatch(/^fairlead: --draws: "many"/);
    expect(await refused(...flags(), "www.example.net")).toBe("fairlead: POST explain: zone not found\n");
    expect(await refused("--http", "127.0.0.1:9", "--data", data, zone)).toMatch(/^fairlead: nothing answers at /);
    expect(await refused("--data", place, zone)).toMatch(/^fairlead: --api-key is required/);
  });
});
