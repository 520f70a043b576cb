/** Allow lists of keys over HTTP: the headers that determine the address of a request, and headers that do not. */
import { describe, expect, test } from "vitest";
import { type Client, startApi } from "../../../test/service/api.ts";

const [here, office, elsewhere] = ["127.0.0.1", "192.0.2.7", "198.51.100.9"] as const;
const held = (...ip_whitelist: string[]) => ({ ip_whitelist, ip_whitelist_strict: true });
const status = async (by: Client, headers: Record<string, string>) =>
  (await by.call("GET", "networks", undefined, headers)).status;

describe("without trusted proxies", async () => {
  const api = await startApi();
  const [local, remote] = [await api.limited({}, held(here)), await api.limited({}, held(office))];

  test.for([
    "X-Forwarded-For",
    "Forwarded",
    "X-Real-IP",
    "CF-Connecting-IP",
    "True-Client-IP",
    "X-Client-IP",
    "X-Forwarded",
  ])("%s is ignored", async (header) => {
    for (const value of [office, `for=${office}`, `${office}, ${here}`, `[::ffff:${office}]:443`, "nonsense"]) {
      expect([await status(local, { [header]: value }), await status(remote, { [header]: value })]).toEqual([200, 403]);
    }
  });
});

describe("behind a trusted proxy", async () => {
  const api = await startApi({ trustedProxies: ["127.0.0.1"] });
  const from = (by: Client, value: string) => status(by, { "X-Forwarded-For": value });

  test("the last untrusted address applies, and earlier ones do not", async () => {
    const client = await api.limited({}, held(office));
    for (const [value, wanted] of [
      [office, 200],
      [`${elsewhere}, ${office}`, 200],
      [`${office}, ${elsewhere}`, 403],
      [`${office}, ${here}`, 200],
      [`${office}:8443`, 200],
      [`::ffff:${office}`, 200],
      [`[::FFFF:192.0.2.7]:443`, 200],
      [`${office}, nonsense`, 403],
      ["", 403],
    ] as const) {
      expect([value, await from(client, value)]).toEqual([value, wanted]);
    }
    for (const header of ["Forwarded", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP"]) {
      expect(await status(client, { [header]: office, "X-Forwarded-For": elsewhere })).toBe(403);
    }
  });

  test.for([
    ["192.0.2.7/32", "::ffff:192.0.2.7", "192.0.2.8"],
    ["::ffff:192.0.2.7", "192.0.2.7", "192.0.2.8"],
    ["::ffff:192.0.2.0/120", "192.0.2.7", "192.0.3.7"],
    ["2001:DB8::/32", "2001:0db8:0:0:0:0:0:1", "2001:db9::1"],
    ["0:0:0:0:0:0:0:1", "::1", "::2"],
    ["0.0.0.0/0", "203.0.113.200", "2001:db8::1"],
    ["::/0", "2001:db8::9", office],
  ] as const)("%s includes %s, but not %s", async ([entry, inside, outside]) => {
    const client = await api.limited({}, held(entry));
    expect([await from(client, inside), await from(client, outside)]).toEqual([200, 403]);
  });
});
