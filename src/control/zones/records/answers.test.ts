/** Single answers added and removed concurrently, and many records in one revision. */
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { recordsOf, rr, type Shown } from "../../../../test/service/records.ts";

const api = await startApi();
const zone = "answers.example";
const { fresh, at, put } = await recordsOf(api, zone);

describe("single answers", () => {
  test("are all kept when added concurrently", async () => {
    const domain = fresh();
    const texts = Array.from({ length: 20 }, (_, i) => `token${i}`);
    const answers = await Promise.all(
      texts.map((text) => api.call("POST", `${at(domain, "TXT")}/answers`, { add: [rr(text)] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
    const read = await api.must<Shown>("GET", at(domain, "TXT"));
    expect(read.answers.map(({ answer }) => answer[0]).sort()).toEqual(texts.sort());
  });

  test("can be sent again and removed by RDATA or id; removing the last deletes the record", async () => {
    const domain = fresh();
    const path = `${at(domain, "A")}/answers`;
    await api.must("POST", path, { add: [rr("192.0.2.1"), rr("192.0.2.1"), rr("192.0.2.2")] });
    const again = await api.call<Shown>("POST", path, { add: [rr("192.0.2.1")] });
    expect(again.headers.get("x-fairlead-change")).toBeNull();
    expect(again.body.answers).toHaveLength(2);
    const left = await api.must<Shown>("POST", path, { remove: [rr("192.0.2.1"), rr("192.0.2.9")] });
    expect(left.answers.map(({ answer }) => answer)).toEqual([["192.0.2.2"]]);
    expect(await api.must("POST", path, { remove: [{ id: left.answers[0]?.id }] })).toMatchObject({ answers: [] });
    expect((await api.call("GET", at(domain, "A"))).status).toBe(404);
    expect((await api.call("POST", path, { remove: [rr("192.0.2.1")] })).body["message"]).toBe("record not found");
  });

  test("are refused quickly when there are far too many", async () => {
    const many = Array.from({ length: 9000 }, (_, i) => rr(`10.1.${i >> 8}.${i & 255}`));
    const path = `${at(fresh(), "A")}/answers`;
    const before = process.cpuUsage();
    const refused = await api.call("POST", path, { add: many });
    expect([refused.status, refused.body["message"]]).toEqual([400, "answers: at most 100 answers per record"]);
    await api.must("POST", path, { add: many.slice(0, 100) });
    const left = await api.must<Shown>("POST", path, { remove: many.slice(1) });
    expect(left.answers.map(({ answer }) => answer)).toEqual([["10.1.0.0"]]);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });

  test("are checked like other answers", async () => {
    const answer = await api.call("POST", `${at(fresh(), "A")}/answers`, { add: [rr("x")] });
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringMatching(/add\[0\]|answers\[0\]/)]);
    expect((await api.call("POST", `${at(zone, "CNAME")}/answers`, { add: [rr("a.example.org")] })).status).toBe(400);
  });
});

describe("a bulk write", () => {
  const path = `zones/${zone}/records`;
  test("creates, replaces and removes in one revision", async () => {
    const [one, two, three] = [fresh(), fresh(), fresh()];
    await put(one, "A", { answers: [rr("192.0.2.1")], ttl: 5, meta: { note: "x" } });
    await put(two, "A", { answers: [rr("192.0.2.1")] });
    const answer = await api.call<{ records: Shown[]; removed: Fields[] }>("POST", path, {
      put: [
        { domain: one, type: "A", answers: [rr("192.0.2.9")] },
        { domain: two, type: "CNAME", answers: [rr(three)] },
        { domain: three, type: "a", answers: [rr("192.0.2.3")] },
      ],
      remove: [{ domain: two, type: "A" }],
    });
    expect(answer.status).toBe(200);
    expect(answer.body.removed).toEqual([{ domain: two, type: "A" }]);
    const { serials } = await api.numbered(answer);
    expect(Object.keys(serials)).toHaveLength(1);
    expect(await api.must("GET", at(one, "A"))).toMatchObject({ ttl: 300, meta: {}, answers: [rr("192.0.2.9")] });
    expect((await api.call("GET", at(two, "A"))).status).toBe(404);
    expect((await api.call("GET", at(two, "CNAME"))).status).toBe(200);
  });

  test.for([{}, { put: [] }, { put: [], remove: [] }])("that is empty is refused: %j", async (body) => {
    const { status, body: reply } = await api.call("POST", path, body);
    expect([status, reply["message"]]).toEqual([400, "put and remove are both empty"]);
  });

  test("is all or nothing", async () => {
    const [one, two] = [fresh(), fresh()];
    for (const bad of [
      { put: [{ domain: two, type: "A", answers: [rr("x")] }] },
      { put: [{ domain: "www.example.org", type: "A", answers: [] }] },
      { remove: [{ domain: two, type: "A" }] },
      { put: [{ domain: one, type: "A", answers: [] }] },
    ]) {
      const first = { domain: one, type: "A", answers: [rr("192.0.2.1")] };
      const answer = await api.call("POST", path, { ...bad, put: [first, ...(bad.put ?? [])] });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect((await api.call("GET", at(one, "A"))).status).toBe(404);
    }
  });

  test("names the record for which it is refused", async () => {
    const [one, two] = [fresh(), fresh()];
    const first = { domain: one, type: "A", answers: [rr("192.0.2.1")] };
    const refused = async (body: Fields) => (await api.call<Fields>("POST", path, body)).body;
    expect(await refused({ put: [first, { domain: two, type: "A", answers: [rr("x")] }] })).toMatchObject({
      message: expect.stringMatching(`^put\\[1\\] ${two} A: answers\\[0\\]`),
      details: { field: expect.stringMatching(/^put\[1\]\.answers\[0\]/), domain: two, type: "A" },
    });
    expect(await refused({ put: [first, { domain: "www.example.org", type: "A" }] })).toMatchObject({
      message: expect.stringContaining("put[1] www.example.org A: "),
      details: { field: "put[1].domain" },
    });
    expect(await refused({ put: [first], remove: [{ domain: two, type: "A" }] })).toMatchObject({
      code: "missing",
      message: `remove[0] ${two} A: record not found`,
    });
  });

  test("with the present records changes nothing", async () => {
    const domain = fresh();
    const body = { put: [{ domain, type: "A", answers: [rr("192.0.2.1")] }] };
    await api.must("POST", path, body);
    expect((await api.call("POST", path, body)).headers.get("x-fairlead-change")).toBeNull();
  });

  test("does not deadlock with a bulk write that has the same names in another order", async () => {
    const names = Array.from({ length: 8 }, fresh);
    const body = (domains: string[], ttl: number) => ({
      put: domains.map((domain) => ({ domain, type: "A", ttl, answers: [rr("192.0.2.1")] })),
    });
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        api.call("POST", path, body(names, round)),
        api.call("POST", path, body([...names].reverse(), round + 100)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
  });
});
