/**
 * `fairlead reload`: makes the running service read its configuration again and replace its edge. With `--all` this
 * program, which may be a newer version, takes over from all of the service.
 */
import { once } from "node:events";
import { closeSync, openSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Config } from "../../config/config.ts";
import { unavailable } from "../../lib/problem.ts";

/** A program to start: Node, and its entry file. */
export interface Program {
  readonly node: string;
  readonly main: string;
}

/** A request to the service: one line of JSON. */
export interface ReloadRequest {
  /** The program that takes over from all of the service; without it, only the edge is replaced. */
  readonly program?: Program;
}

/** The service's reply: one line of JSON. */
interface Outcome {
  readonly done: boolean;
  readonly message: string;
}

const name = "reload.sock";
/** Milliseconds to wait for a reply. */
const patience = 300_000;

/** Throws a Problem with the service's reason if nothing was reloaded. */
export async function reload({ data }: Pick<Config, "data">, request: ReloadRequest): Promise<void> {
  const { done, message } = parse(await ask(data, request));
  if (!done) throw unavailable(`nothing was reloaded: ${message}`);
  process.stdout.write(`${message}\n`);
}

/** Accepts reload requests for the service in a data directory. Only the service's user can enter the directory. */
export async function takeReloads(data: string, run: (request: ReloadRequest) => Promise<string>): Promise<Server> {
  const server = createServer((socket) => {
    const reply = (outcome: Outcome) => socket.end(`${JSON.stringify(outcome)}\n`);
    // the client may have closed the connection
    socket.on("error", () => {});
    createInterface({ input: socket }).once("line", (line) => {
      Promise.resolve()
        .then(() => run(JSON.parse(line)))
        .then(
          (message) => reply({ done: true, message }),
          (error) => reply({ done: false, message: error instanceof Error ? error.message : String(error) }),
        );
    });
  });
  // a service that was killed, or that another one follows, leaves its socket behind
  rmSync(join(data, name), { force: true });
  await inDirectory(data, (path) => once(server.listen(path), "listening"));
  return server;
}

async function ask(data: string, request: ReloadRequest): Promise<string> {
  const socket = await inDirectory(data, async (path) => {
    const connected = connect(path);
    await once(connected, "connect");
    return connected;
  }).catch(() => {
    throw unavailable(`no service to reload runs in ${data} (fairlead serve --data ${data})`);
  });
  socket.setTimeout(patience, () => socket.destroy());
  socket.write(`${JSON.stringify(request)}\n`);
  let reply = "";
  for await (const text of socket.setEncoding("utf8")) reply += text;
  return reply;
}

function parse(reply: string): Outcome {
  try {
    return JSON.parse(reply);
  } catch {
    throw unavailable("the service ended, or gave no reply in time");
  }
}

/** A socket's path may have about a hundred characters (unix(7)); the directory's path may be longer. */
async function inDirectory<T>(directory: string, use: (path: string) => Promise<T>): Promise<T> {
  if (process.platform !== "linux") return use(join(directory, name));
  const fd = openSync(directory, "r");
  try {
    return await use(`/proc/self/fd/${fd}/${name}`);
  } finally {
    closeSync(fd);
  }
}
