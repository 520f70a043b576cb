/** The threads of a running service that have a higher priority than others. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { niceOf } from "../machine/proc.ts";
import { service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";

/** Whether this system allows higher priorities; `nice` prints an error if it does not. */
const isAllowed = () => spawnSync("nice", ["-n", "-5", "true"], { encoding: "utf8" }).stderr === "";

test("the edge's threads that answer have a higher priority where the system allows it, and no thread of control has", async () => {
  await using running = await service();
  const { edge, control } = rolesOf(running);
  const answers = (name: string) => /^(udp|stream) \d+$/.test(name);
  const [answering, others] = [edge.flatMap(niceOf).filter(([name]) => answers(name)), control.flatMap(niceOf)];
  expect(answering.length).toBeGreaterThan(1);
  expect(new Set(answering.map(([, nice]) => nice))).toEqual(new Set([isAllowed() ? -5 : 0]));
  expect(new Set(others.map(([, nice]) => nice))).toEqual(new Set([0]));
});
