/** Locks that another client holds in the store: callers soon get a refusal, and DNS answers as usual. */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import { ask } from "../engine/states.ts";
import { startApi } from "../service/api.ts";
import { edgeBeside } from "../service/edge.ts";

const api = await startApi();
const { port } = await edgeBeside(api);

const patiently = { timeout: 60_000 };
/** Milliseconds: several times the store's own limit. */
const soon = 8000;
const server = { address: "127.0.0.1", port, attempts: 1, timeout: 5000 };
const pathOf = (zone: string, label: string) => `zones/${zone}/${label}.${zone}/A`;
const put = (zone: string, label: string, address: string) =>
  api.call("PUT", pathOf(zone, label), { answers: [{ answer: [address] }] });

beforeAll(async () => {
  for (const zone of ["held.example", "free.example"]) {
    await api.must("PUT", `zones/${zone}`, {});
    expect((await put(zone, "www", "192.0.2.1")).status).toBe(200);
    const answered = async () => expect(await ask(server, `www.${zone} A`)).toBe("NOERROR 192.0.2.1");
    await vi.waitFor(answered, patiently);
  }
});

/** Runs `work` while a separate connection holds the locks that the statement takes. */
async function whileLocked(statement: string, values: readonly string[], work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: api.storeUrl });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query(statement, [...values]);
    await work();
  } finally {
    await holder.end();
  }
}

/** Makes all calls at once while asking DNS, and expects that each call is refused in time. */
async function expectRefused(calls: readonly (() => ReturnType<typeof put>)[]): Promise<void> {
  const began = performance.now();
  let isOver = false;
  const asking = (async () => {
    for (; !isOver; await delay(10)) expect(await ask(server, "www.held.example A")).toBe("NOERROR 192.0.2.1");
  })();
  const replies = await Promise.all(calls.map((call) => call())).finally(() => {
    isOver = true;
  });
  expect(performance.now() - began).toBeLessThan(soon);
  // the store is late for the first ones, and the others wait for the account's connections
  expect(replies.map(({ status }) => status)).toContain(503);
  for (const { status, headers, body } of replies) {
    expect([503, 429]).toContain(status);
    expect(body).toMatchObject({ message: expect.any(String) });
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
  }
  await asking;
}

test.each(["zone", "record", "change"])("while the table %s is locked, writes are refused in time", async (table) => {
  await whileLocked(`lock table "${table}" in access exclusive mode`, [], async () => {
    await expectRefused(Array.from({ length: 30 }, (_, n) => () => put("held.example", `locked${n}`, "192.0.2.9")));
    expect((await fetch(`${api.url}/v1/zones`)).status).toBe(401);
  });
  await expect.poll(async () => (await put("held.example", table, "192.0.2.2")).status, patiently).toBe(200);
  await expect.poll(() => ask(server, `${table}.held.example A`), patiently).toBe("NOERROR 192.0.2.2");
  expect(await ask(server, "locked0.held.example A")).toBe("NXDOMAIN");
});

test("reads of a locked table are refused in time, and are answered afterwards", async () => {
  const path = pathOf("held.example", "www");
  await whileLocked("lock table record in access exclusive mode", [], () =>
    expectRefused(Array.from({ length: 30 }, () => () => api.call("GET", path))),
  );
  await api.must("GET", path);
});

test("a locked row of a zone delays the writers of that zone, and no other writers", async () => {
  await whileLocked("select from zone where zone = $1 for update", ["held.example"], async () => {
    const change = () => api.call("POST", "zones/held.example", { ttl: 60 });
    const others = async () => {
      for (let n = 0; n < 20; n++) expect((await put("free.example", `n${n}`, "192.0.2.3")).status).toBe(200);
      await api.must("GET", "zones/held.example");
    };
    await Promise.all([expectRefused([change, change]), others()]);
    await expect.poll(() => ask(server, "n19.free.example A"), patiently).toBe("NOERROR 192.0.2.3");
  });
  await api.must("POST", "zones/held.example", { ttl: 60 });
});
