/** `fairlead zone import` and `export`: zone files through the API of a running service. */
import { createWriteStream, existsSync, openAsBlob } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { ImportJob } from "../../../control/zonefiles/schema.ts";
import { invalid, Problem } from "../../../lib/problem.ts";
import { type Api, type ApiConfig, apiOf } from "../../host/api.ts";

export interface ImportOptions {
  readonly zone: string;
  readonly networks?: string;
  readonly partial?: boolean;
}

/** Milliseconds between two requests for the state of an import. */
const askEvery = 300;

/** Resolves when the zone exists. Otherwise prints all errors in the file, and throws a Problem. */
export async function importZone(
  config: ApiConfig,
  file: string,
  { zone, networks, partial }: ImportOptions,
): Promise<void> {
  const api = apiOf(config);
  const query = new URLSearchParams({
    async: "true",
    ...(networks === undefined ? {} : { networks }),
    ...(partial ? { partial: "true" } : {}),
  });
  const path = `import/zonefile/${encodeURIComponent(zone)}?${query}`;
  progress(`sending ${file === "-" ? "standard input" : file}`);
  const reply = await api.fetch("PUT", path, await contentOf(file));
  const { response_code, response, status } = await outcomeOf(api, (await reply.json()) as ImportJob);
  progress("");
  const { warnings, message, details: { errors = [] } = {} } = response as Outcome;
  if (response_code === 200) {
    for (const warning of warnings ?? []) process.stderr.write(`${warning}\n`);
    process.stdout.write(`${status}\n`);
    return;
  }
  for (const error of errors) process.stderr.write(`line ${error.line}: ${error.message}\n`);
  // the message repeats the first error
  throw new Problem("invalid", errors.length > 0 ? `the zone ${zone} was not imported` : (message ?? status));
}

export async function exportZone(config: ApiConfig, zone: string, file: string): Promise<void> {
  const reply = await apiOf(config).fetch("GET", `export/zonefile/${encodeURIComponent(zone)}`);
  const text = reply.body ?? new ReadableStream();
  let octets = 0;
  const counted = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      octets += piece.length;
      if (file !== "-") progress(`${octets} octets`);
      yield piece;
    }
  };
  // standard output stays open
  if (file === "-") await pipeline(text, process.stdout, { end: false });
  else await pipeline(text, counted, createWriteStream(file));
  progress("");
}

/** The response that a synchronous import would have given. */
interface Outcome {
  readonly warnings?: readonly string[];
  readonly message?: string;
  readonly details?: { readonly errors?: readonly { readonly line: number; readonly message: string }[] };
}

async function contentOf(file: string): Promise<Blob | ReadableStream> {
  if (file === "-") return Readable.toWeb(process.stdin) as ReadableStream;
  if (!existsSync(file)) throw invalid(`${file}: no such file`);
  return await openAsBlob(file);
}

async function outcomeOf(api: Api, begun: ImportJob): Promise<ImportJob> {
  let job = begun;
  while (job.response_code === undefined) {
    progress(`${job.status}: ${job.percent} %`);
    await delay(askEvery);
    job = (await api.call<ImportJob>("GET", `import/zonefile/${job.id}`)).body;
  }
  return job;
}

/** Replaces the previous progress text; prints nothing unless standard error is a terminal. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
