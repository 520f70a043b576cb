/** The threads of a running service that have a higher priority than others. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";

/** Niceness of the threads of a process, by their names. */
function threadsOf(pid: number): readonly (readonly [name: string, nice: number])[] {
  return readdirSync(`/proc/${pid}/task`).map((id) => {
    const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8");
    const end = stat.lastIndexOf(")");
    return [stat.slice(stat.indexOf("(") + 1, end), Number(stat.slice(end + 2).split(" ")[16])];
  });
}

/** Whether this system allows higher priorities; `nice` prints an error if it does not. */
const isAllowed = () => spawnSync("nice", ["-n", "-5", "true"], { encoding: "utf8" }).stderr === "";

test("the edge's threads that answer have a higher priority where the system allows it, and no thread of control has", async () => {
  await using running = await service();
  const { edge, control } = rolesOf(running);
  const answers = (name: string) => /^(udp|stream) \d+$/.test(name);
  const [answering, others] = [edge.flatMap(threadsOf).filter(([name]) => answers(name)), control.flatMap(threadsOf)];
  expect(answering.length).toBeGreaterThan(1);
  expect(new Set(answering.map(([, nice]) => nice))).toEqual(new Set([isAllowed() ? -5 : 0]));
  expect(new Set(others.map(([, nice]) => nice))).toEqual(new Set([0]));
});
