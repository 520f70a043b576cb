/** Follows geo files: reads them at the start, and again whenever one of them changes. */
import { Worker } from "node:worker_threads";
import type { Log } from "../lib/log.ts";
import { loop } from "../lib/loop.ts";
import { invalid } from "../lib/problem.ts";
import type { GeoData } from "./facts/data.ts";
import { isAsRead } from "./files/load.ts";
import type { LoadOrder } from "./files/load-worker.ts";

export interface FollowedGeo {
  /** The data of the files, or the earlier data if a changed file cannot be read. */
  readonly data: GeoData;
  close(): void;
}

export interface FollowOptions {
  readonly log: Log;
  readonly onChange?: (data: GeoData) => void;
  /** Milliseconds between two checks of the files. */
  readonly every?: number;
}

/** Throws a Problem that names the file if one cannot be read at the start. */
export async function followGeo(
  paths: readonly string[],
  { log, onChange, every = 2000 }: FollowOptions,
): Promise<FollowedGeo> {
  let data = await load({ paths, before: undefined });
  const checks = loop({
    async turn() {
      const same = await Promise.all(data.sources.map(({ file }) => isAsRead(file)));
      if (same.every(Boolean)) return;
      data = await load({ paths, before: data });
      log.info({ files: data.sources.map(({ description }) => description) }, "reloaded the geo files");
      onChange?.(data);
    },
    every,
    first: every,
    complain(error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ reason }, "a geo file cannot be read; the earlier data stay in use");
    },
  });
  return {
    get data() {
      return data;
    },
    close: () => void checks.close(),
  };
}

/** Loads the files in a thread of its own. */
function load(order: LoadOrder): Promise<GeoData> {
  const worker = new Worker(new URL("./files/load-worker.ts", import.meta.url), { workerData: order });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", ({ message }) => reject(invalid(message)));
    worker.once("exit", (code) => reject(invalid(`the thread that reads the geo files ended with code ${code}`)));
  });
}
