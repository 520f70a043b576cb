import { join } from "node:path";
import { expect, test } from "vitest";
import { output } from "../../../test/machine/processes.ts";
import { node, tree } from "../../../test/service/kit.ts";

/** Prints whether Node's own client is among the modules that were loaded. */
const ask = (first: string) => `
  await import(${JSON.stringify(first)});
  console.log(process.moduleLoadList.includes("NativeModule internal/deps/undici/undici"));`;
const isLoadedBy = (first: string) => output(node, ["--input-type=module", "--eval", ask(first)]);

test.each(["serve", "control", "edge"])("%s does not load Node's HTTP client", async (role) => {
  expect(await isLoadedBy("node:http")).toBe("true\n");
  expect(await isLoadedBy(join(tree, `src/cli/${role}.ts`))).toBe("false\n");
});
