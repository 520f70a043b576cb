import { expect, test } from "vitest";
import { readZone } from "./fields.ts";

const network = (...name_servers: string[]) => ({
  networks: [{ network_id: 0, name: "", label: "", pools: [{ name: "p01", name_servers }] }],
  random: () => 0,
});
const before = readZone("example.com", {}, undefined, network("old1.example.net", "old2.example.net"));
const changed = (body: object) => readZone("example.com", body, before, network("new1.example.net"));

test("a zone keeps its name servers when the operator configures others", () => {
  for (const body of [{}, { networks: [0] }]) expect(changed(body)).toEqual(before);
});

test("null for a zone's networks gives it the name servers that are configured now, and its primary master follows", () => {
  expect(changed({ networks: null })).toMatchObject({
    networks: [0],
    dns_servers: ["new1.example.net"],
    primary_master: "new1.example.net",
  });
});
