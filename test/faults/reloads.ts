/** Reloads of a service under load: no query may be lost. */
import { setTimeout as delay } from "node:timers/promises";
import { run } from "../machine/processes.ts";
import { seededRandom } from "../machine/random.ts";
import { node, type Service, service, tree } from "../service/kit.ts";
import { type Load, startLoad } from "./load.ts";
import { prepare } from "./load-zone.ts";

export interface ReloadOptions {
  readonly reloads: number;
  /** Milliseconds from one reload to the next. */
  readonly every: number;
  readonly rate: number;
  readonly seed: number;
  readonly onReload?: (line: string) => void;
}

export async function reloadsUnderLoad(options: ReloadOptions): Promise<Awaited<ReturnType<Load["end"]>>> {
  const { reloads, every, rate, seed, onReload } = options;
  await using running = await service();
  await prepare(running);
  const load = await startLoad({ port: running.port, rate, streams: 8, random: seededRandom(seed) });
  for (let n = 0; n < reloads; n++) {
    await delay(every / 2);
    const { code, out, err } = await reload(running);
    if (code !== 0) throw new Error(`reload ${n + 1} failed: ${err}`);
    onReload?.(out.trim());
    await delay(every / 2);
  }
  return await load.end();
}

export const reload = ({ data }: Pick<Service, "data">) =>
  run(node, ["bin/fairlead.js", "reload", "--data", data], { cwd: tree, env: { PATH: process.env["PATH"] } });
