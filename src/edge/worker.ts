/** Thread entry of every worker: a thread finds compiled code only once it has asked for it, before it loads the rest. */
import { enableCompileCache } from "node:module";
import { workerData } from "node:worker_threads";
import { compileCache } from "../lib/compile-cache.ts";

enableCompileCache(compileCache);
const { entry }: { entry: string } = workerData;
await import(entry);
