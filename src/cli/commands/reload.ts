/** `fairlead reload`: asks the running service to read its configuration again and to replace its edge. */
import { closeSync, openSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { unavailable } from "../../lib/problem.ts";

/** What the service replies: one line of JSON. */
interface Outcome {
  readonly done: boolean;
  readonly message: string;
}

const name = "reload.sock";
/** A service that neither replaces its edge nor says why not. */
const patience = 300_000;

/** Throws a Problem with the service's reason when nothing was reloaded. */
export async function reload({ data }: Config): Promise<void> {
  const { done, message } = parse(await ask(data));
  if (!done) throw unavailable(`nothing was reloaded: ${message}`);
  process.stdout.write(`${message}\n`);
}

/** Takes such requests for the service of a data directory, which belongs to its user alone. */
export async function takeReloads(data: string, run: () => Promise<string>): Promise<Server> {
  const server = createServer((socket) => {
    const reply = (outcome: Outcome) => socket.end(`${JSON.stringify(outcome)}\n`);
    // whoever asked may have gone
    socket.on("error", () => {});
    run().then(
      (message) => reply({ done: true, message }),
      (error) => reply({ done: false, message: error instanceof Error ? error.message : String(error) }),
    );
  });
  // left behind by a service that was killed
  rmSync(join(data, name), { force: true });
  await inDirectory(
    data,
    (path) =>
      new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(path, resolve);
      }),
  );
  return server;
}

async function ask(data: string): Promise<string> {
  const socket = await inDirectory(
    data,
    (path) =>
      new Promise<ReturnType<typeof connect>>((resolve, reject) => {
        const connected = connect(path, () => resolve(connected));
        connected.once("error", reject);
      }),
  ).catch(() => {
    throw unavailable(`no service that can be reloaded runs in ${data} (fairlead serve --data ${data})`);
  });
  socket.setTimeout(patience, () => socket.destroy());
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

/** The path of a socket has room for about a hundred characters (unix(7)), which that of the directory may exceed. */
async function inDirectory<T>(directory: string, use: (path: string) => Promise<T>): Promise<T> {
  if (process.platform !== "linux") return use(join(directory, name));
  const fd = openSync(directory, "r");
  try {
    return await use(`/proc/self/fd/${fd}/${name}`);
  } finally {
    closeSync(fd);
  }
}
