/** Geo files in use: read at the start, and again whenever one of them has changed. */
import { Worker } from "node:worker_threads";
import type { Log } from "../lib/log.ts";
import { loop } from "../lib/loop.ts";
import { invalid } from "../lib/problem.ts";
import type { GeoData } from "./facts/data.ts";
import { isAsRead } from "./files/load.ts";
import type { Loaded, LoadOrder } from "./files/load-worker.ts";

export interface FollowedGeo {
  /** The contents of the files; those before, when a file cannot be read now. */
  readonly data: GeoData;
  close(): void;
}

export interface FollowOptions {
  readonly log: Log;
  readonly onChange?: (data: GeoData) => void;
  /** Milliseconds between two looks at the files. */
  readonly every?: number;
}

/** Throws a Problem that names the file when one cannot be read at the start. */
export async function followGeo(
  paths: readonly string[],
  { log, onChange, every = 2000 }: FollowOptions,
): Promise<FollowedGeo> {
  let data = await load({ paths, data: undefined });
  const looking = loop({
    async turn() {
      const same = await Promise.all(data.sources.map(({ file }) => isAsRead(file)));
      if (same.every(Boolean)) return;
      data = await load({ paths, data });
      log.info({ files: data.sources.map(({ description }) => description) }, "geo files were read again");
      onChange?.(data);
    },
    every,
    first: every,
    complain(error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ reason }, "a geo file cannot be read; the data that were read before stay in use");
    },
  });
  return {
    get data() {
      return data;
    },
    close: () => void looking.close(),
  };
}

/** In a thread of its own, which ends with its work. */
function load(order: LoadOrder): Promise<GeoData> {
  const worker = new Worker(new URL("./files/load-worker.ts", import.meta.url), { workerData: order });
  return new Promise((resolve, reject) => {
    worker.once("message", ({ data, problem }: Loaded) => (data ? resolve(data) : reject(invalid(String(problem)))));
    worker.once("error", reject);
    worker.once("exit", (code) => reject(invalid(`reading the geo files ended with ${code}`)));
  });
}
