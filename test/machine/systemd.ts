/**
 * A stand-in for systemd, which runs one service as its unit file says: it starts it with LISTEN_FDS, follows READY and
 * MAINPID from the main process alone, keeps descriptors that are stored, and stops it as `KillMode=mixed` does. It is not
 * systemd: nothing is sandboxed, and the processes of the service are those with its INVOCATION_ID.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fstatSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { libc } from "../../src/lib/system/libc.ts";
import { identify } from "../../src/net/socket/sockets.ts";
import { type Notification, NotifySocket } from "./notify-socket.ts";
import { type Ended, run } from "./processes.ts";

export interface UnitOptions {
  /** The text of the unit file. */
  readonly unit: string;
  /** Replaces words of the unit's commands, such as the program. */
  readonly command: (words: readonly string[]) => readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Descriptors of a socket unit. */
  readonly activated?: readonly number[];
}

interface Stored {
  readonly name: string;
  readonly fd: number;
}

/** PR_SET_CHILD_SUBREAPER: processes without a parent become children of this one, as they become systemd's. */
const subreaper = 36;
const readyWithin = 60_000;

export class Systemd {
  readonly #options: UnitOptions;
  readonly #socket: NotifySocket;
  readonly #store: Stored[] = [];
  readonly #invocation = randomUUID();
  /** What was refused, and why. */
  readonly refused: string[] = [];
  mainPid = 0;
  printed = "";
  #isReady = false;

  constructor(options: UnitOptions) {
    this.#options = options;
    libc().prctl(subreaper, 1, 0, 0, 0);
    this.#socket = new NotifySocket((notification) => this.#take(notification));
  }

  /** A setting of the unit file. */
  setting(name: string): string | undefined {
    return new RegExp(`^${name}=(.*)$`, "m").exec(this.#options.unit)?.[1];
  }

  get stored(): readonly string[] {
    return this.#store.map(({ name }) => name);
  }

  /** Resolves when the service has said that it is ready (`Type=notify`). */
  async start(): Promise<void> {
    const passed = [...(this.#options.activated ?? []).map((fd) => ({ fd, name: "fairlead.socket" })), ...this.#store];
    this.#isReady = false;
    const names = passed.map(({ name }) => name).join(":");
    const listen = passed.length > 0 ? `LISTEN_PID=$$ LISTEN_FDS=${passed.length} LISTEN_FDNAMES='${names}' ` : "";
    const child = spawn("sh", ["-c", `${listen}exec "$@"`, "sh", ...this.#command("ExecStart")], {
      stdio: ["ignore", "pipe", "pipe", ...passed.map(({ fd }) => fd)],
      env: this.#environment(),
      detached: true,
    });
    this.mainPid = child.pid!;
    this.#read(child);
    const deadline = performance.now() + readyWithin;
    while (!this.#isReady) {
      if (!isAlive(this.mainPid)) throw new Error(`the service ended:\n${this.printed}`);
      if (performance.now() > deadline) throw new Error(`the service is not ready:\n${this.printed}`);
      await delay(2);
    }
  }

  /** Runs ExecReload to its end. */
  async reload(): Promise<Ended> {
    const [file = "", ...args] = this.#command("ExecReload");
    return await run(file, args, { env: this.#environment() });
  }

  /** Stops the service and starts it again: what is stored is passed. */
  async restart(): Promise<void> {
    await this.#stop();
    await this.start();
  }

  /** Stops the service: nothing is stored any more. */
  async stop(): Promise<void> {
    await this.#stop();
    this.#drop(() => true);
  }

  /** Stops, and gives up the socket for notifications. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#socket.close();
  }

  /** The processes of the service, without those that set an environment of their own. */
  processes(): number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => isAlive(pid) && environmentOf(pid).includes(`INVOCATION_ID=${this.#invocation}`));
  }

  async #stop(): Promise<void> {
    if (isAlive(this.mainPid)) process.kill(this.mainPid, "SIGTERM");
    const deadline = performance.now() + 1000 * Number(this.setting("TimeoutStopSec"));
    while (isAlive(this.mainPid) && performance.now() < deadline) await delay(2);
    for (const pid of this.processes()) process.kill(pid, "SIGKILL");
  }

  #take({ text, pid, descriptors }: Notification): void {
    const fields = new Map(text.split("\n").map((line) => [line.split("=")[0]!, line.slice(line.indexOf("=") + 1)]));
    // NotifyAccess=main, the default of Type=notify
    if (pid !== this.mainPid) {
      this.refused.push(text);
      for (const fd of descriptors) libc().close(fd);
      return;
    }
    if (fields.get("READY") === "1") this.#isReady = true;
    const main = fields.get("MAINPID");
    if (main !== undefined) this.mainPid = Number(main);
    const name = fields.get("FDNAME") ?? "stored";
    if (fields.get("FDSTORE") === "1") for (const fd of descriptors) this.#keep({ name, fd });
    if (fields.get("FDSTOREREMOVE") === "1") this.#drop((stored) => stored.name === name);
  }

  #keep(stored: Stored): void {
    const isKnown = this.#store.some(({ fd }) => isSame(fd, stored.fd));
    const isFull = this.#store.length >= Number(this.setting("FileDescriptorStoreMax") ?? 0);
    if (isKnown || isFull || identify(stored.fd) === undefined) libc().close(stored.fd);
    else this.#store.push(stored);
    if (isFull) this.refused.push(`the store is full: ${stored.name}`);
  }

  #drop(isUnneeded: (stored: Stored) => boolean): void {
    for (const stored of this.#store.filter(isUnneeded)) {
      libc().close(stored.fd);
      this.#store.splice(this.#store.indexOf(stored), 1);
    }
  }

  #command(name: string): string[] {
    return [...this.#options.command(this.setting(name)!.split(" "))];
  }

  #environment(): NodeJS.ProcessEnv {
    const { env } = this.#options;
    return { PATH: process.env["PATH"], ...env, NOTIFY_SOCKET: this.#socket.name, INVOCATION_ID: this.#invocation };
  }

  #read({ stdout, stderr }: ChildProcess): void {
    for (const stream of [stdout, stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.printed = (this.printed + text).slice(-100_000);
      });
    }
  }
}

/** Descriptors of one socket have the same inode. */
const isSame = (one: number, other: number) => fstatSync(one).ino === fstatSync(other).ino;

/** A process that has ended may wait to be reaped. */
function isAlive(pid: number): boolean {
  try {
    return pid > 0 && !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}
