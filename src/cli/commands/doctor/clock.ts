/** Whether the clock is kept by a time service, and agrees with that of the store. */
import { hasLibc, libc } from "../../../lib/system/libc.ts";
import { type Finding, findingsOf } from "../../terminal/finding.ts";
import type { ConnectedStore } from "./store.ts";

const { ok, warning, failed } = findingsOf("clock");

/** Seconds. Leases and the ages of changes are counted in seconds; TSIG allows 300 (RFC 8945 section 5.2.3). */
const tolerated = { warning: 2, failure: 60 };

export async function checkClock(store: Promise<ConnectedStore | undefined>): Promise<Finding[]> {
  return [checkKept(), ...(await compare(store))];
}

function checkKept(): Finding {
  const isKept = isKeptInTime();
  if (isKept === undefined) return ok("the system does not say whether a time service keeps the clock");
  if (isKept) return ok("a time service keeps the clock");
  const advice = "install a time service (Debian: chrony), and see with chronyc tracking that it has a source";
  return warning("no time service keeps the clock: it drifts, and signed messages fail beyond five minutes", advice);
}

async function compare(store: Promise<ConnectedStore | undefined>): Promise<Finding[]> {
  const connected = await store.catch(() => undefined);
  if (!connected) return [];
  const ahead = await connected.clockAhead();
  const off = Math.abs(ahead);
  const text = `the clock is ${off.toFixed(1)} s ${ahead > 0 ? "ahead of" : "behind"} that of the store`;
  const advice = "set both clocks by a time service: leases and ages are counted with the store's clock";
  if (off > tolerated.failure) return [failed(text, advice)];
  if (off > tolerated.warning) return [warning(text, advice)];
  return [ok("the clock agrees with that of the store")];
}

/** `struct timex` of adjtimex(2) on 64-bit systems. */
const timex = { octets: 208, status: 40 } as const;
const unsynchronized = 0x40;
const adjtimex = { x64: 159, arm64: 171 } as const;

/** Undefined where the system does not say. */
function isKeptInTime(): boolean | undefined {
  const number = adjtimex[process.arch as keyof typeof adjtimex];
  if (!hasLibc() || number === undefined) return undefined;
  // all modes are 0: the call only reads
  const memory = new ArrayBuffer(timex.octets);
  const state = libc().syscall(number, libc().addressOf(memory), new Uint8Array(1), 0);
  if (state < 0) return undefined;
  return (new DataView(memory).getInt32(timex.status, true) & unsynchronized) === 0;
}
