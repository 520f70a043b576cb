import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { networksOf } from "./networks.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-networks-"));
afterAll(() => rmSync(directory, { recursive: true }));

function read(content: unknown, nameservers: readonly string[] = []) {
  const networks = join(directory, "networks.json");
  writeFileSync(networks, typeof content === "string" ? content : JSON.stringify(content));
  return networksOf({ networks, nameservers });
}

const other = { network_id: 7, name: "China", pools: { c1: ["NS1.example.cn."], c2: ["ns2.example.cn"] } };

describe("networks of the configuration", () => {
  test("without a file, network 0 has the name servers of the flag", () => {
    expect(networksOf({ networks: undefined, nameservers: ["ns1.example.net"] })).toEqual([
      expect.objectContaining({ network_id: 0, pools: [{ name: "p01", name_servers: ["ns1.example.net"] }] }),
    ]);
  });

  test("a file adds networks with their pools", () => {
    expect(read([other]).map(({ network_id, label, pools }) => [network_id, label, pools])).toEqual([
      [0, "global", [expect.objectContaining({ name: "p01" })]],
      [
        7,
        "China",
        [
          { name: "c1", name_servers: ["ns1.example.cn"] },
          { name: "c2", name_servers: ["ns2.example.cn"] },
        ],
      ],
    ]);
  });

  test.for<[content: unknown, message: RegExp]>([
    ["[", /networks\.json: .*JSON/],
    [{}, /networks\.json: the file must be an array/],
    [[{ ...other, network_id: -1 }], /\[0\]\.network_id must be an integer from 0/],
    [[{ ...other, server: 1 }], /networks\.json: \[0\]\.server is not known/],
    [[{ ...other, pools: {} }], /network 7 has no pool/],
    [[{ ...other, pools: { c1: [] } }], /\[0\]\.pools\.c1 must be an array of at least 1 item/],
    [[{ ...other, pools: { c1: ["not a host"] } }], /pool c1: "not a host" is not a host name/],
    [[other, { ...other, pools: { c3: ["a.example"] } }], /network 7 is listed twice/],
    [[other, { ...other, network_id: 8 }], /pool c1 is listed twice/],
  ])("%j is refused", ([content, message]) => {
    expect(() => read(content)).toThrow(message);
  });

  test("the name servers of network 0 come from the file or the flag, not both", () => {
    expect(() => read([{ ...other, network_id: 0 }], ["ns1.example.net"])).toThrow("--nameservers");
  });
});
