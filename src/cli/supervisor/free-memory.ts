/** Saves the compiled code of a start, and returns unused memory to the system; most of it is left over from loading. */
import { flushCompileCache } from "node:module";
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { hasLibc, libc } from "../../lib/system/libc.ts";

/** Milliseconds between two checks of whether the process is idle. */
const checkEvery = 5000;
/** The utilization below which a process is idle. The collection stops the main thread for up to a third of a second. */
const idle = 0.05;

/** Collects once, as soon as the process is idle. V8 itself would wait for new objects, and an idle process makes few. */
export function freeMemoryOnceIdle(): void {
  const since = performance.eventLoopUtilization();
  const later = () => {
    if (performance.eventLoopUtilization(since).utilization < idle) freeMemory();
    else freeMemoryOnceIdle();
  };
  setTimeout(later, checkEvery).unref();
}

function freeMemory(): void {
  // Node does this at the end; a process that is killed before would compile again at its next start
  flushCompileCache();
  setFlagsFromString("--expose-gc");
  const collect: NodeJS.GCFunction = runInNewContext("gc");
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
  if (hasLibc()) libc().malloc_trim(0);
}
