/** Cookies, identifiers, keepalive and limits over an edge's own sockets. */
import { afterEach, expect, test } from "vitest";
import { parseAnswer } from "../../../test/scenarios/image.ts";
import { code, type Option, optionsOf, queryWith } from "../../../test/scenarios/options.ts";
import { startEdgeAt } from "../../../test/service/edge.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import { scanPrefix } from "../../lib/address/ip.ts";
import { systemClock } from "../../lib/clock.ts";
import { exchange } from "../../net/client/exchange.ts";
import { Sequencer } from "../../storage/sequencer/sequencer.ts";
import type { EdgeOptions } from "../edge.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const store = await testStore();

async function start(options: Partial<EdgeOptions> = {}) {
  const sequencer = new Sequencer(store, { log: silent, clock: systemClock });
  cleanups.push(() => sequencer.close());
  const edge = await startEdgeAt(store.url, options);
  cleanups.push(() => edge.close());
  await edge.ready;
  const ask = async (asked: readonly Option[], transport: "udp" | "tcp" = "udp") => {
    const server = { ...edge.addresses[0]!, transport, timeout: 300, attempts: 1 };
    const answer = parseAnswer(await exchange(server, queryWith(asked)));
    return { rcode: answer.rcode, options: optionsOf(answer) };
  };
  return { edge, ask };
}

const client = [1, 2, 3, 4, 5, 6, 7, 8];
const from = (hex = "") => [...Buffer.from(hex, "hex")];

test("edges of one store accept each other's cookies", async () => {
  const [one, two] = [await start(), await start()];
  const cookieOf = async ({ ask }: typeof one) => (await ask([[code.cookie, client]])).options[code.cookie];
  // each edge has its own secret until it has asked the store
  await expect.poll(async () => (await cookieOf(one))?.slice(24)).toBe((await cookieOf(two))?.slice(24));
  const made = await cookieOf(one);
  expect((await two.ask([[code.cookie, from(made)]])).options[code.cookie]).toBe(made);
});

test("the first configured secret makes cookies, and cookies made with the other secrets are accepted", async () => {
  const [older, newer] = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)];
  const before = await start({ cookieSecrets: [older] });
  const made = (await before.ask([[code.cookie, client]])).options[code.cookie];
  const after = await start({ cookieSecrets: [newer, older], limits: { answers: 0, equal: 0, errors: 1, exempt: [] } });
  await after.ask([]);
  for (let i = 0; i < 5; i++) {
    const { options } = await after.ask([[code.cookie, from(made)]]);
    expect(options[code.cookie]).toHaveLength(48);
    expect(options[code.cookie]).not.toBe(made);
  }
});

test("the identifier and the keepalive are sent to clients that ask", async () => {
  const { ask } = await start({ nsid: Buffer.from("ams-1") });
  const asked: readonly Option[] = [
    [code.nsid, []],
    [code.keepalive, []],
  ];
  expect((await ask(asked)).options).toMatchObject({ [code.nsid]: "616d732d31" });
  expect((await ask(asked)).options).not.toHaveProperty(String(code.keepalive));
  expect((await ask(asked, "tcp")).options).toMatchObject({ [code.nsid]: "616d732d31", [code.keepalive]: "0064" });
});

test("errors over the limit are dropped and counted; over TCP, and to exempt clients, all are sent", async () => {
  const { edge, ask } = await start({ limits: { answers: 0, equal: 0, errors: 1, exempt: [] } });
  expect((await ask([])).rcode).toBe("REFUSED");
  await expect(ask([])).rejects.toThrow();
  expect((await ask([], "tcp")).rcode).toBe("REFUSED");
  expect(await edge.metrics()).toMatch(/fairlead_dns_limited_total [1-9]/);
  const exempt = await start({ limits: { answers: 0, equal: 0, errors: 1, exempt: [scanPrefix("127.0.0.0/8")!] } });
  for (let i = 0; i < 10; i++) expect((await exempt.ask([])).rcode).toBe("REFUSED");
});
