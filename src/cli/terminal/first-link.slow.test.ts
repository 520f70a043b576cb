/** The link for the first user, as a start prints it on a terminal. */
import { expect, onTestFinished, test } from "vitest";
import { processesBelow } from "../../../test/machine/proc.ts";
import { type Service, service } from "../../../test/service/kit.ts";

/** Runs the service on a terminal, whose output is that of the command. */
const onTerminal = ["bash", "-c", `exec script -qec "$(printf '%q ' "$@")" /dev/null`, "bash"];

/** Ends the service itself, and with it the terminal. */
async function end(running: Service): Promise<void> {
  const own = processesBelow(running.daemon.pid).find(({ line }) => line.includes("serve"));
  if (own) process.kill(own.pid, "SIGTERM");
  await running.daemon.until(() => running.daemon.ended).catch(() => {});
}

test("a start on a terminal prints a link that signs the first user in; a start elsewhere prints none", async () => {
  await using plain = await service();
  expect(plain.daemon.printed).not.toContain("/welcome");
  await using running = await service({ inside: onTerminal });
  onTestFinished(() => end(running));
  const link = () => /^ {2}(http:\S+)\/welcome#([\w-]{43})\s*$/m.exec(running.daemon.printed);
  await running.daemon.until(() => link() !== null, 60_000);
  const [, address, token] = link()!;
  expect(address).toBe(running.url);
  const reply = await fetch(`${address}/v1/auth/first`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: address! },
    body: JSON.stringify({ token }),
  });
  expect([reply.status, await reply.json()]).toEqual([200, expect.objectContaining({ stage: "full" })]);
  expect(running.daemon.printed).not.toContain("user invite");
  await end(running);
});
