import { defineConfig } from "vitest/config";

const slow = 120_000;

/** Three projects: `unit` is the fast inner loop, `flows` starts the whole service, `interop` talks to other people's software. */
export default defineConfig({
  test: {
    pool: "forks",
    globalSetup: "test/store-server.ts",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "test/architecture.test.ts",
            "test/contracts/**/*.test.ts",
            "test/scenarios/**/*.test.ts",
          ],
        },
      },
      {
        extends: true,
        test: {
          name: "flows",
          include: ["test/flows/**/*.test.ts"],
          testTimeout: slow,
          hookTimeout: slow,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: "interop",
          include: ["test/interop/**/*.test.ts"],
          testTimeout: slow,
          hookTimeout: slow,
          fileParallelism: false,
        },
      },
    ],
  },
});
