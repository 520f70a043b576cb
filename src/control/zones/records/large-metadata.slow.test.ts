/** Records with as much metadata as a record may have: from the API to the answers of an edge. */
import { describe, expect, test } from "vitest";
import { ask } from "../../../../test/engine/states.ts";
import { startApi } from "../../../../test/service/api.ts";
import { edgeBeside } from "../../../../test/service/edge.ts";

const api = await startApi();
const edge = await edgeBeside(api);
const zone = "large.example";
await api.must("PUT", `zones/${zone}`, {});

const filters = ["netfence_prefix", "netfence_asn", "select_first_n"].map((filter) => ({
  filter,
  config: filter === "select_first_n" ? { N: 1 } : { remove_no_prefix: true, remove_no_asn: true },
}));
const patience = { timeout: 60_000, interval: 50 };

/** Returns the given number of answers with 1,000 prefixes and 1,000 AS numbers each; the client's network is in those of answer 57. */
const answersOf = (count: number, prefix: (answer: number, at: number) => string) =>
  Array.from({ length: count }, (_, answer) => ({
    answer: [`192.0.2.${answer}`],
    meta: {
      ip_prefixes: Array.from({ length: 1000 }, (_, at) =>
        answer === 57 && at === 999 ? "127.0.0.0/8" : prefix(answer, at),
      ),
      asn: Array.from({ length: 1000 }, (_, at) => 4_200_000_000 + answer * 1000 + at),
    },
  }));

const families = {
  "IPv4 prefixes": (answer: number, at: number) => `${100 + answer}.${100 + (at >> 8)}.${at & 255}.128/25`,
  "IPv6 prefixes": (answer: number, at: number) => `2001:db8:${answer}:${at.toString(16)}::/64`,
};
const answers = answersOf(100, families["IPv4 prefixes"]);

describe("100 answers with 1,000 prefixes and 1,000 AS numbers each", () => {
  test.each(Object.entries(families))("%s: are written, answered and explained", async (family, prefix) => {
    const domain = `${family.slice(0, 4).toLowerCase()}.${zone}`;
    const sent = {
      answers: answersOf(100, prefix),
      filters: filters.filter(({ filter }) => filter !== "netfence_asn"),
    };
    expect(JSON.stringify(sent).length).toBeGreaterThan(3_000_000);
    const made = await api.must<typeof sent>("PUT", `zones/${zone}/${domain}/A`, sent);
    expect(made.answers.map(({ meta }) => meta)).toEqual(sent.answers.map(({ meta }) => meta));
    await expect.poll(() => ask(edge, `${domain} A`), patience).toBe("NOERROR 192.0.2.57");
    const { body } = await api.call("POST", "explain", { name: domain, client: "127.0.0.1" });
    expect(JSON.stringify(body)).toContain("192.0.2.57");
  });

  test("a change of one answer reaches the edge, and other records of the name stay", async () => {
    const domain = `ipv4.${zone}`;
    await api.must("PUT", `zones/${zone}/${domain}/TXT`, { answers: [{ answer: ["beside"] }] });
    const moved = answers.map((answer, at) => (at === 57 ? { ...answer, answer: ["192.0.2.200"] } : answer));
    await api.must("POST", `zones/${zone}/${domain}/A`, { answers: moved });
    await expect.poll(() => ask(edge, `${domain} A`), patience).toBe("NOERROR 192.0.2.200");
    await expect.poll(() => ask(edge, `${domain} TXT`), patience).toBe("NOERROR beside");
  });
});

describe("more metadata is refused, with the limit", () => {
  test("in one record, also if filters or answers are added later", async () => {
    const meta = {
      ip_prefixes: Array.from({ length: 1000 }, (_, at) => `2001:db8:1111:1111:1111:1111:1111:${at}/128`),
    };
    const answers = Array.from({ length: 100 }, (_, at) => ({ answer: [`192.0.2.${at}`], meta }));
    const message = "filters and metadata together must be at most 4194304 octets of JSON";
    const write = async (method: string, rest: string, body: object) =>
      (await api.call<{ message: string }>(method, `zones/${zone}/more.${zone}/A${rest}`, body)).body.message;
    await api.must("PUT", `zones/${zone}/more.${zone}/A`, { answers: answers.slice(0, 70) });
    await api.must("POST", `zones/${zone}/more.${zone}/A/answers`, { add: answers.slice(70) });
    expect(await write("POST", "", { filters })).toBe(message);
    await api.must("POST", `zones/${zone}/more.${zone}/A`, { answers: answers.slice(0, 70), filters });
    expect(await write("POST", "/answers", { add: answers.slice(70) })).toBe(message);
  });

  test("in all records of a name", async () => {
    const types = { A: "192.0.2.1", AAAA: "2001:db8::1" };
    const write = (type: keyof typeof types) =>
      api.call<{ message: string }>("PUT", `zones/${zone}/both.${zone}/${type}`, {
        answers: answers.map(({ meta }) => ({ answer: [types[type]], meta })),
        filters,
      });
    expect((await write("A")).status).toBe(200);
    const { status, body } = await write("AAAA");
    expect([status, body.message]).toEqual([
      400,
      "filters and metadata of all records with this name together must be at most 6291456 octets of JSON",
    ]);
  });
});
