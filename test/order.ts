/** The order in which vitest starts test files: longest first, so that no worker is left alone at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** In a new checkout vitest knows only sizes. These files are small, but most start a program that runs for minutes. */
const longest = [
  "test/flows/fuzz.test.ts",
  "test/flows/fuzz-api.test.ts",
  "test/flows/permissions.test.ts",
  "test/flows/durability.test.ts",
  "test/flows/calls.test.ts",
  "test/flows/fast-clock.test.ts",
  "test/interop/transfers.test.ts",
  "test/interop/differential-mutants.test.ts",
  "test/interop/steering-mutants.test.ts",
  "test/interop/differential.test.ts",
  "test/interop/steering.test.ts",
  "test/interop/put-back.test.ts",
  "test/interop/upgrade.test.ts",
  "test/portal/zone.test.ts",
  "test/portal/record.test.ts",
  "test/portal/account.test.ts",
  "src/edge/watch/watch.slow.test.ts",
  "src/control/zones/versions/history.slow.test.ts",
  "src/control/zonefiles/import.slow.test.ts",
  "src/edge/snapshot/edge-snapshots.slow.test.ts",
  "src/edge/workers/workers.slow.test.ts",
  "src/control/exchange/transfers/large.slow.test.ts",
  "src/cli/commands/account/account.slow.test.ts",
  "src/cli/commands/user/user.slow.test.ts",
];

/** A process runs files of one project, and another project starts new ones: so the projects follow one another. */
const projects = ["interop", "flows", "slow"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.some((path) => moduleId.endsWith(`/${path}`));
    const projectOf = ({ project }: TestSpecification) => projects.indexOf(project.name);
    return sorted.toSorted((a, b) => projectOf(a) - projectOf(b) || Number(isLong(b)) - Number(isLong(a)));
  }
}
