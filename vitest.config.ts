import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/order.ts";

/** Milliseconds. Long, since a test that waits is not wrong on a machine with a third of the usual speed. */
const slow = 300_000;

/** One process runs many files, and keeps the modules that they share. */
const together = {
  isolate: false,
  // further workers compute while others wait
  maxWorkers: 4,
  execArgv: [
    // tests leave much behind that a larger nursery need not copy
    ...["--max-semi-space-size=64", "--min-semi-space-size=64"],
    `--import=${join(import.meta.dirname, "test/imports.ts")}`,
  ],
  // Node itself reads TypeScript, as in production, and keeps what it compiled; no test mocks a module
  experimental: { viteModuleRunner: false, nodeLoader: false, recordDependencies: false },
  // modules then load in a third of the time, even in threads and processes that tests start
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") },
};

/** For tests that often wait for the processes that they start; many start a process for each look, too. */
const waiting = {
  ...together,
  // as many as there are cores: more would make each test slower, and none of them earlier
  maxWorkers: 2,
  testTimeout: slow,
  hookTimeout: slow,
  expect: { poll: { interval: 100, timeout: 60_000 } },
};

/** These run in `unit` too, where their properties are checked with a tenth of the cases. */
const thorough = [
  "src/answer/filters/index.test.ts",
  "src/answer/image/model.test.ts",
  "src/answer/reply/odd-records.test.ts",
  "src/control/access/access.test.ts",
  "src/control/zonefiles/reading/read.test.ts",
  "src/dns/zonefile/zonefile.test.ts",
  "src/edge/serve/serve.test.ts",
  "src/geo/geo.test.ts",
  "src/geo/files/load.test.ts",
  "src/geo/files/mmdb.test.ts",
  "src/lib/address/ip-texts.test.ts",
  "test/contracts/types.test.ts",
];

/**
 * Four projects: `unit` is the fast inner loop, `slow` starts and ends processes, `flows` starts the whole service,
 * `interop` talks to other people's software.
 */
export default defineConfig({
  test: {
    pool: "forks",
    globalSetup: "test/store/store-server.ts",
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...together,
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "portal/**/*.test.ts",
            "test/architecture.test.ts",
            "test/contracts/**/*.test.ts",
            "test/scenarios/**/*.test.ts",
          ],
          exclude: ["**/*.slow.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { interval: 10 } },
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...waiting,
          name: "slow",
          include: [
            "src/**/*.slow.test.ts",
            "test/contracts/**/*.slow.test.ts",
            "test/formats/*.slow.test.ts",
            ...thorough,
          ],
          provide: { isThorough: true },
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { ...waiting, name: "flows", include: ["test/flows/**/*.test.ts"], sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          ...waiting,
          name: "interop",
          include: ["test/interop/**/*.test.ts", "test/portal/**/*.test.ts"],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
