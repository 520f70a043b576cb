/** Settings of the operator: the edition, and allowed public suffixes. */
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../test/service/api.ts";

describe("in edition ddi", async () => {
  const api = await startApi({ edition: "ddi" });

  test("names are private: single labels and public suffixes can be zones", async () => {
    for (const zone of ["corp", "co.uk"]) expect(await api.must("PUT", `zones/${zone}`, {})).toMatchObject({ zone });
  });

  test("another account cannot create a zone below a zone of one label", async () => {
    const stranger = await api.stranger();
    const answer = await stranger.call("PUT", "zones/host.site.corp", {});
    expect([answer.status, answer.body["message"]]).toEqual([
      400,
      expect.stringContaining("is below a zone of another"),
    ]);
  });

  test("when two accounts race for a suffix and a zone below it, one wins", async () => {
    const stranger = await api.stranger();
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all([
        api.call("PUT", `zones/suffix${round}`, {}),
        stranger.call("PUT", `zones/a.suffix${round}`, {}),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  test("views, and a `name` other than the zone's, are refused until they are built", async () => {
    expect((await api.call("PUT", "zones/view.example", { views: ["internal"] })).body["code"]).toBe("not_built");
    expect((await api.call("PUT", "zones/view.example", { name: "other.example" })).body["code"]).toBe("not_built");
    await api.must("PUT", "zones/view.example", { views: "", name: "View.example." });
  });

  test("keys have the rights of the edition", async () => {
    const { permissions } = await api.must<{ permissions: Fields }>("PUT", "account/apikeys", { name: "ddi" });
    expect(permissions["service"]).toEqual({ view_config: true, manage_config: true });
  });
});

describe("a public suffix that the operator allows", async () => {
  const api = await startApi({ allowSuffix: ["co.uk"], keepDeleted: 0 });
  const stranger = await api.stranger();

  test("cannot be a zone above another account's zone, and other accounts cannot create zones below it", async () => {
    await stranger.must("PUT", "zones/example.co.uk", {});
    expect((await api.call("PUT", "zones/co.uk", {})).body["message"]).toContain("is above a zone of another");
    await stranger.must("DELETE", "zones/example.co.uk");
    await api.must("PUT", "zones/co.uk", {});
    expect((await stranger.call("PUT", "zones/a.example.co.uk", {})).body["message"]).toContain("is below a zone");
    expect((await api.call("PUT", "zones/com", {})).status).toBe(400);
    expect((await api.call("PUT", "zones/org.uk", {})).status).toBe(400);
  });
});
