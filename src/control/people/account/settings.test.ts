/** Contact details and usage warnings over HTTP. */
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";

const api = await startApi();

describe("contact details", () => {
  const path = "account/settings";

  test("are empty at first, and can be changed in parts", async () => {
    const account = await api.stranger();
    const blank = await account.must<Fields>("GET", path);
    expect(blank).toEqual({
      customerid: expect.any(Number),
      ...{
        firstname: "",
        lastname: "",
        company: "",
        email: "",
        secondary_email: "",
        phone: "",
        title: "",
        website: "",
      },
      address: { street: "", city: "", state: "", country: "", postalcode: "" },
    });
    const first = { company: "Example", address: { city: "New York", postalcode: 10005 } };
    expect(await account.must("POST", path, first)).toMatchObject({
      company: "Example",
      address: { street: "", city: "New York", postalcode: "10005" },
    });
    const second = { phone: "+1 555 0100", address: { street: "Main Street 1", city: null } };
    const changed = await account.must<Fields>("POST", path, second);
    expect(changed).toEqual({
      ...blank,
      ...{ company: "Example", phone: "+1 555 0100" },
      address: { street: "Main Street 1", city: "", state: "", country: "", postalcode: "10005" },
    });
    expect(await account.must("GET", path)).toEqual(changed);
    expect(await account.must("POST", path, { address: null })).toMatchObject({ address: { postalcode: "" } });
  });

  test("that are sent back as they were read, or with another customerid, change nothing", async () => {
    const account = await api.stranger();
    const contact = await account.must<Fields>("POST", path, { email: "a@example.com" });
    expect(await account.must("POST", path, { ...contact, customerid: 1 })).toEqual(contact);
    expect(await account.must("POST", path, {})).toEqual(contact);
    const entries = await account.must<Fields[]>("GET", "account/activity?resource_type=account");
    expect(entries.map(({ action, resource_id }) => [action, resource_id])).toEqual([["update", expect.any(String)]]);
    expect(entries[0]!["resource_id"]).not.toBe("");
  });

  test("both of two simultaneous changes are kept", async () => {
    const account = await api.stranger();
    await Promise.all([{ title: "Dr" }, { firstname: "Ada" }].map((body) => account.must("POST", path, body)));
    expect(await account.must("GET", path)).toMatchObject({ title: "Dr", firstname: "Ada" });
  });

  test.for([
    [{ email: 1 }, "email"],
    [{ company: "x".repeat(256) }, "company"],
    [{ address: "New York" }, "address"],
    [{ address: { postalcode: 1.5 } }, "address.postalcode"],
    [{ address: { postalcode: "1".repeat(256) } }, "address.postalcode"],
  ] as const)("%j is a 400 that names the field", async ([body, field]) => {
    const answer = await api.call("POST", path, body);
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining(field)]);
  });
});

describe("usage warnings", () => {
  const path = "account/usagewarnings";
  const blank = { send_warnings: false, warning_1: 80, warning_2: 95 };

  test("can be changed in parts, and show zones once they have been set", async () => {
    const account = await api.stranger();
    expect(await account.must("GET", path)).toEqual({ queries: blank, records: blank });
    const queries = { ...blank, warning_2: 90 };
    expect(await account.must("POST", path, { queries: { warning_2: 90 } })).toEqual({ queries, records: blank });
    const zones = { send_warnings: true, warning_1: 0, warning_2: 100 };
    const all = { queries, records: blank, zones };
    expect(await account.must("POST", path, { zones })).toEqual(all);
    expect(await account.must("POST", path, all)).toEqual(all);
    expect(await account.must("GET", path)).toEqual(all);
    const reset = { queries: { warning_2: null }, zones: null };
    expect(await account.must("POST", path, reset)).toEqual({ queries: blank, records: blank });
  });

  test.for([
    [{ queries: { warning_1: -1 } }, 'field "queries.warning_1" must be'],
    [{ records: { warning_2: 101 } }, 'field "records.warning_2" must be'],
    [{ records: { warning_1: 50.5 } }, 'field "records.warning_1" must be'],
    [{ records: { send_warnings: "yes" } }, 'field "records.send_warnings" must be'],
    [{ queries: { warning_1: 95 } }, "queries.warning_1 must be less than warning_2: 95 is not less than 95"],
    [{ records: { warning_2: 70 } }, "records.warning_1 must be less than warning_2: 80 is not less than 70"],
    [{ zones: { warning_1: 9, warning_2: 8 } }, "zones.warning_1 must be less than"],
  ] as const)("%j is a 400", async ([body, message]) => {
    const answer = await api.call("POST", path, body);
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining(message)]);
    expect(await api.must("GET", path)).toEqual({ queries: blank, records: blank });
  });
});

test("contact details and usage warnings require their right", async () => {
  const without = await api.limited({ account: { manage_account_settings: false } });
  for (const path of ["account/settings", "account/usagewarnings"]) {
    expect((await without.call("GET", path)).status).toBe(403);
    expect((await without.call("POST", path, {})).status).toBe(403);
  }
});
