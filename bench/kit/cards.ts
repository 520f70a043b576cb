/** Network cards of machines whose receiving work has an owner: a kernel thread of its own, on a core that is chosen. */
import { readdirSync, readFileSync } from "node:fs";
import type { Network } from "../../test/machine/network.ts";
import { output } from "../../test/machine/processes.ts";
import { pinTo } from "./cores.ts";

/** Gives a card a thread for receiving, on a core; returns the thread. Needs Debian's ethtool. */
export async function threadCard(network: Network, machine: string, card: string, core: number): Promise<number> {
  const [file = "", ...rest] = network.inside(machine);
  const before = new Set(receivers());
  // without GRO, and with segments that the card is to make, frames would not come to the thread
  await output(file, [...rest, "ethtool", "-K", card, "gro", "on", "tso", "off"]);
  await output(file, [...rest, "sh", "-c", `echo 1 > /sys/class/net/${card}/threaded`]);
  const thread = receivers().find((pid) => !before.has(pid));
  if (thread === undefined) throw new Error(`${card} of ${machine} has no thread`);
  await pinTo(core, thread);
  return thread;
}

/** The kernel's threads that receive. */
const receivers = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && nameOf(name).startsWith("napi/"))
    .map(Number);

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return "";
  }
}
