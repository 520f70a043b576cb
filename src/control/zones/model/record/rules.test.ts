/** Types that share a name, races for a name, and types that can be written. */
import { describe, expect, test } from "vitest";
import { examples } from "../../../../../test/contracts/types-examples.ts";
import { type Fields, startApi } from "../../../../../test/service/api.ts";
import { recordsOf, rr } from "../../../../../test/service/records.ts";
import { types } from "../../../../dns/types.ts";

const api = await startApi();
const zone = "rules.example";
const { fresh, at, put } = await recordsOf(api, zone);

describe("records at one name", () => {
  const target = [rr("target.example.org")];
  test("a CNAME and another record cannot share a name, whichever is written first", async () => {
    const [one, two] = [fresh(), fresh()];
    await put(one, "CNAME", { answers: target });
    expect((await api.call("PUT", at(one, "A"), { answers: [] })).body["message"]).toContain(
      "has a record of type CNAME",
    );
    await put(two, "A", { answers: [] });
    expect((await api.call("PUT", at(two, "CNAME"), { answers: target })).body["message"]).toContain(
      "has a record of type A",
    );
  });

  test("the apex cannot have a CNAME or DS, but can have an ALIAS, a DNAME and a wildcard below it", async () => {
    const apex = "apex.example";
    await api.must("PUT", `zones/${apex}`, {});
    const path = (type: string, domain = apex) => `zones/${apex}/${domain}/${type}`;
    expect((await api.call("PUT", path("CNAME"), { answers: target })).body["message"]).toContain("apex");
    expect((await api.call("PUT", path("DS"), { answers: [rr(1, 13, 2, "00".repeat(32))] })).body["message"]).toContain(
      "apex",
    );
    await api.must("PUT", path("ALIAS"), { answers: [rr(`www.${apex}`)] });
    await api.must("PUT", path("DNAME"), { answers: target });
    await api.must("PUT", path("A", `*.${apex}`), { answers: [rr("192.0.2.1")] });
  });

  test("below the apex a DNAME cannot share a name with a delegation", async () => {
    const domain = fresh();
    await put(domain, "NS", { answers: target });
    expect((await api.call("PUT", at(domain, "DNAME"), { answers: target })).status).toBe(400);
  });

  test("when a CNAME and an A race, one is refused", async () => {
    for (let round = 0; round < 15; round++) {
      const domain = fresh();
      const answers = await Promise.all([
        api.call("PUT", at(domain, "CNAME"), { answers: target }),
        api.call("PUT", at(domain, "A"), { answers: [rr("192.0.2.1")] }),
        api.call("PUT", at(domain, "AAAA"), { answers: [rr("2001:db8::1")] }),
      ]);
      const [cname, a, aaaa] = answers.map(({ status }) => status === 200);
      expect([cname, !(a || aaaa)]).toEqual([cname, cname]);
    }
  });

  test("of several concurrent requests that create one record, all but one are refused with the exact message", async () => {
    for (let round = 0; round < 15; round++) {
      const domain = fresh();
      const body = { answers: [rr("192.0.2.1")] };
      const answers = await Promise.all([1, 2, 3].map(() => api.call("PUT", at(domain, "A"), body)));
      const refused = answers.filter(({ status }) => status === 400);
      expect(refused.map((answer) => answer.body["message"])).toEqual([
        "record already exists",
        "record already exists",
      ]);
    }
  });

  test("a record is not written into a zone that is deleted at the same time", async () => {
    for (let round = 0; round < 10; round++) {
      const name = `gone${round}.example`;
      await api.must("PUT", `zones/${name}`, {});
      const body = { answers: [rr("192.0.2.1")] };
      await Promise.all([
        api.call("DELETE", `zones/${name}`),
        ...[1, 2, 3].map((n) => api.call("PUT", `zones/${name}/n${n}.${name}/A`, body)),
      ]);
      await api.must("PUT", `zones/${name}`, {});
      const { records } = await api.must<{ records: Fields[] }>("GET", `zones/${name}`);
      expect(records.map(({ type }) => type)).toEqual(["NS"]);
    }
  });
});

test("every type that clients may write is created with its own answer form", async () => {
  const writable = Object.values(types).filter((type) => type.writable && type.served !== "redirect");
  for (const { name: type } of [...writable, { name: "TYPE65001" }]) {
    const answer = type === "ALIAS" ? [`www.${zone}`] : examples.find((example) => example.type === type)!.answer;
    const made = await put(fresh(), type, { answers: [{ answer }] });
    expect(made.answers[0]?.answer).toEqual(answer);
  }
});
