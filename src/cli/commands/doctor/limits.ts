/** The limits that the system sets: niceness, descriptors and buffers of sockets. */
import { readFileSync } from "node:fs";
import { type Finding, findingsOf } from "../../terminal/finding.ts";
import type { Here } from "./processes.ts";

const { ok, warning } = findingsOf("limits");

/** RLIMIT_NICE for the niceness of -5 that an edge takes while it starts (getrlimit(2)). */
const niceLimit = 25;
const fewDescriptors = 4096;
/** Octets that each socket asks for. */
const buffer = 4 << 20;
const capSysNice = 23n;

export function checkLimits({ supervisor }: Here): Finding[] {
  const process = supervisor === undefined ? "self" : `${supervisor}`;
  const who = supervisor === undefined ? "a service that is started from here" : `the service (process ${supervisor})`;
  const limits = read(`/proc/${process}/limits`) ?? read("/proc/self/limits");
  return [...(limits === undefined ? [] : [niceness(process, limits, who), descriptors(limits, who)]), buffers()];
}

function niceness(pid: string, limits: string, who: string): Finding {
  const status = read(`/proc/${pid}/status`) ?? "";
  const [, capabilities = "0"] = /^CapEff:\s*([0-9a-f]+)$/m.exec(status) ?? [];
  const mayRaise = ((BigInt(`0x${capabilities}`) >> capSysNice) & 1n) === 1n;
  if (mayRaise || limitOf(limits, "Max nice priority") >= niceLimit) {
    return ok(`${who} may start an edge before other work of the machine`);
  }
  const text = `${who} may not start an edge before other work of the machine`;
  return warning(text, "set LimitNICE=-5 in the unit, or start the service as root");
}

function descriptors(limits: string, who: string): Finding {
  const most = limitOf(limits, "Max open files");
  const text = `${who} may have ${most} open files and connections`;
  return most >= fewDescriptors ? ok(text) : warning(text, "set LimitNOFILE=65536 in the unit, or ulimit -n 65536");
}

function buffers(): Finding {
  const most = Number(read("/proc/sys/net/core/rmem_max"));
  // a network namespace of its own may not show the system's setting
  if (!(most > 0)) return ok("the system does not show the limit of socket buffers");
  const text = `sockets may buffer ${Math.floor(most / 1024)} KiB of queries`;
  if (most >= buffer) return ok(text);
  return warning(
    `${text}, and ask for ${buffer / 1024}`,
    `set net.core.rmem_max=${buffer} with sysctl, and in /etc/sysctl.d`,
  );
}

/** The soft limit. */
function limitOf(limits: string, name: string): number {
  const [, soft] = new RegExp(`^${name}\\s+(\\S+)`, "m").exec(limits) ?? [];
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
