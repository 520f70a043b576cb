/** A load of queries by dnsperf, on a separate core. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { output } from "../../test/machine/processes.ts";
import { onLoadCore } from "./cores.ts";
import { inMemory } from "./files.ts";

export interface Load {
  /** A file of questions, as `questionsIn` writes it. */
  readonly questions: string;
  readonly seconds: number;
  /** Queries a second; without it, as many as possible. */
  readonly rate?: number | undefined;
  readonly mode?: "udp" | "tcp" | "dot";
  /** Sockets or connections. */
  readonly clients?: number;
  /** Outstanding queries of all clients together. */
  readonly outstanding?: number;
  /**
   * Whether dnsperf has a higher priority, so that it waits for no other process, like a client on another machine;
   * needs root.
   */
  readonly isRemote?: boolean;
  /** Whether dnsperf may use every core. */
  readonly isFree?: boolean;
  /** An EDNS option as `code:octets`, in hexadecimal. */
  readonly option?: string;
  /** The server's address, if not loopback, and the start of the command line on the client's machine. */
  readonly address?: string;
  readonly inside?: readonly string[];
}

export interface LoadResult {
  readonly completed: number;
  readonly lost: number;
  readonly perSecond: number;
}

/** Client subnet 20.1.2.0/24. */
export const subnetOption = "8:00011800140102";

export function questionsIn(path: string, questions: Iterable<string>): string {
  writeFileSync(path, `${[...questions].join("\n")}\n`);
  return path;
}

export async function ask(port: number, load: Load): Promise<LoadResult> {
  return askedBy(await dnsperf(port, load));
}

/** The result of a load, with the milliseconds of each answer. */
export async function askTimed(port: number, load: Load): Promise<LoadResult & { readonly times: readonly number[] }> {
  const printed = await dnsperf(port, load, ["-v"]);
  const times = [...printed.matchAll(/^> \w+ \S+ \S+ ([\d.]+)$/gm)].map(([, seconds]) => Number(seconds) * 1000);
  return { ...askedBy(printed), times };
}

async function dnsperf(port: number, load: Load, more: readonly string[] = []): Promise<string> {
  const {
    questions,
    seconds,
    rate,
    mode = "udp",
    clients = 8,
    outstanding,
    option,
    isRemote = false,
    isFree = false,
  } = load;
  const { address = "127.0.0.1", inside = [] } = load;
  const flags = [...more, "-s", address, "-p", `${port}`, "-d", questions, "-l", `${seconds}`, "-m", mode];
  flags.push("-c", `${clients}`, "-T", "1", "-e");
  if (rate !== undefined) flags.push("-Q", `${rate}`);
  if (outstanding !== undefined) flags.push("-q", `${outstanding}`);
  if (option !== undefined) flags.push("-E", option);
  const command = [...inside, ...(isRemote ? ["chrt", "--rr", "1"] : []), "dnsperf", ...flags];
  const [file, ...args] = isFree ? command : onLoadCore(command);
  return await inMemory(async (directory) => {
    const printed = join(directory, "printed");
    // not into a pipe: dnsperf would ask only as fast as this process reads its output
    await output("sh", ["-c", 'exec "$@" > "$0"', printed, file!, ...args], { timeout: (seconds + 60) * 1000 });
    return readFileSync(printed, "utf8");
  });
}

function askedBy(printed: string): LoadResult {
  const figure = (label: string) => Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(printed)?.[1]);
  const completed = figure("Queries completed");
  if (!(completed > 0)) throw new Error(`no query was answered:\n${printed.slice(-2000)}`);
  return { completed, lost: figure("Queries lost"), perSecond: figure("Queries per second") };
}
