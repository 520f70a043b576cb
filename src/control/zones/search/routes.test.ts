/** The search over HTTP: matches, the shape of results, and separation of accounts. */
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";

const api = await startApi();
const { id } = await api.must<{ id: string }>("PUT", "zones/alpha.example", {});
await api.must("PUT", "zones/beta.example", {});
const records: [domain: string, type: string, ...answers: (string | number)[][]][] = [
  ["www.alpha.example", "A", ["192.0.2.1"], ["192.0.2.2"]],
  ["under_score.alpha.example", "TXT", ['say "hi"; 100% Sure']],
  ["underxscore.alpha.example", "TXT", ["other"]],
  ["www.beta.example", "MX", [10, "mail.alpha.example"]],
];
for (const [domain, type, ...answers] of records) {
  const zone = domain.split(".").slice(1).join(".");
  await api.must("PUT", `zones/${zone}/${domain}/${type}`, { answers: answers.map((answer) => ({ answer })) });
}

const search = (query: string) => api.must<Fields[]>("GET", `search?${query}`);
const names = async (query: string) => (await search(query)).map((hit) => hit["domain"] ?? hit["zone"]);

describe("a search", () => {
  test("returns zones with one field and records with three", async () => {
    expect(await search("q=alpha&type=zone")).toEqual([{ zone: "alpha.example" }]);
    expect(await search("q=www.alpha&type=record")).toEqual([
      { domain: "www.alpha.example", type: "A", zone: "alpha.example" },
    ]);
  });

  test("finds parts of names in any case, and `*` matches any text", async () => {
    expect(await names("q=WWW&type=record")).toEqual(["www.alpha.example", "www.beta.example"]);
    expect(await names("q=www*beta&type=record")).toEqual(["www.beta.example"]);
    expect(await names("q=beta*www&type=all")).toEqual([]);
  });

  test("treats no other character as a wildcard", async () => {
    expect(await names("q=under_score&type=record")).toEqual(["under_score.alpha.example"]);
    expect(await names("q=%25&type=all")).toEqual([]);
    expect(await names("q=%5C&type=all")).toEqual([]);
    expect(await names(`q=${encodeURIComponent("' or 1=1 --")}`)).toEqual([]);
  });

  test("finds zones first and then records, at most max", async () => {
    expect(await names("q=beta")).toEqual(["beta.example", "beta.example", "www.beta.example"]);
    expect(await names("q=beta&max=2")).toEqual(["beta.example", "beta.example"]);
    expect(await names("q=beta&max=0")).toEqual([]);
    expect(await names("q=beta&max=1000000")).toEqual(await names("q=beta"));
  });

  test("finds answers in the form in which they are shown", async () => {
    expect(await names("q=mail.alpha&type=answers")).toEqual(["www.beta.example"]);
    expect(await names("q=10%20mail&type=answers")).toEqual(["www.beta.example"]);
    expect(await names(`q=${encodeURIComponent('"hi"; 100% SURE')}&type=answers`)).toEqual([
      "under_score.alpha.example",
    ]);
    expect(await names("q=meta&type=answers")).toEqual([]);
  });

  test("returns full objects on request", async () => {
    const [record] = await search("q=www.alpha&type=record&expand=t");
    expect(record).toEqual(await api.must("GET", "zones/alpha.example/www.alpha.example/A"));
    const [zone] = await search("q=alpha&type=zone&expand=true");
    expect(zone).toMatchObject({ id, zone: "alpha.example", nx_ttl: 3600 });
  });

  test("of one zone accepts its id or its name", async () => {
    for (const which of [id, "alpha.example", "ALPHA.example."]) {
      const found = await api.must<Fields[]>("GET", `search/zone/${which}?q=www&type=all`);
      expect(found).toEqual([{ domain: "www.alpha.example", type: "A", zone: "alpha.example" }]);
    }
    expect(await api.must("GET", `search/zone/${id}?q=*&geo=1&type=record`)).toEqual([]);
    expect((await api.call("GET", "search/zone/missing.example?q=x")).body["message"]).toBe("zone not found");
  });

  test("finds nothing in another account", async () => {
    const stranger = await api.stranger();
    expect(await stranger.must("GET", "search?q=*")).toEqual([]);
    expect((await stranger.call("GET", `search/zone/${id}?q=x`)).status).toBe(404);
  });

  test("requires exactly one term", async () => {
    for (const query of ["", "q=a&q=b", "q[]=a", "q[$ne]=a", "q=a&type=other", "q=a&max=-1", "q=a&expand=perhaps"]) {
      expect((await api.call("GET", `search?${query}`)).status).toBe(400);
    }
  });
});
