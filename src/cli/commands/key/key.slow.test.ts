/** `fairlead key create` prints a key that may do what its preset says. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../../test/machine/processes.ts";
import { startApi } from "../../../../test/service/api.ts";
import { node, tree } from "../../../../test/service/kit.ts";
import { presetNames } from "../../../control/people/keys/presets.ts";
import { keyCommand } from "./command.ts";

const api = await startApi();
await api.must("PUT", "zones/example.com", {});
const create = (name: string, ...flags: string[]) =>
  run(node, [
    ...[join(tree, "bin/fairlead.js"), "key", "create", name, "--http", new URL(api.url).host],
    ...["--api-key", api.key, ...flags],
  ]);

test("a key is printed alone, so that scripts can read it", async () => {
  const { code, out } = await create("challenge", "--preset", "acme", "--zone", "example.com");
  expect([code, out]).toEqual([0, expect.stringMatching(/^\S{16,}\n$/)]);
  const key = api.client(out.trim());
  const answers = [{ answer: ["x"] }];
  await key.must("PUT", "zones/example.com/_acme-challenge.example.com/TXT", { answers });
  expect((await key.call("PUT", "zones/example.com/www.example.com/TXT", { answers })).status).toBe(403);
});

test("a key that expires is its first secret", async () => {
  const { out } = await create("for a while", "--preset", "read-only", "--expires", "7d");
  expect(await api.client(out.trim()).must("GET", "zones")).toHaveLength(1);
});

test("a refusal of the API is printed", async () => {
  const { code, err } = await create("home", "--preset", "dyndns", "--zone", "example.com");
  expect([code, err]).toEqual([1, expect.stringContaining("preset.domain: is required for dyndns")]);
});

test("the command has all presets of the API", () => {
  const [created] = keyCommand().commands;
  const preset = created?.options.find(({ long }) => long === "--preset");
  expect(preset?.argChoices).toEqual([...presetNames]);
});
