/** systemd as a service sees it (sd_notify(3)): told of readiness and of the main process, it keeps copies of sockets. */
import type { Log } from "../../lib/log.ts";
import { hasLibc } from "../../lib/system/libc.ts";
import { sendDescriptors } from "../../net/socket/send-descriptors.ts";
import type { Keeper } from "../supervisor/held-sockets.ts";

export class ServiceManager implements Keeper {
  readonly #socket: string;
  readonly #log: Log;

  /** Returns undefined without a socket for notifications. */
  static at(socket: string | undefined, log: Log): ServiceManager | undefined {
    return socket === undefined || !hasLibc() ? undefined : new ServiceManager(socket, log);
  }

  private constructor(socket: string, log: Log) {
    this.#socket = socket;
    this.#log = log;
  }

  ready(): void {
    this.#notify("READY=1");
  }

  /** Another process is the service now. */
  follow(pid: number): void {
    this.#notify(`MAINPID=${pid}`);
  }

  keep(name: string, descriptors: readonly number[]): void {
    // sockets are kept whatever happens to them
    if (descriptors.length > 0) this.#notify(`FDSTORE=1\nFDNAME=${name}\nFDPOLL=0`, descriptors);
  }

  forget(name: string): void {
    this.#notify(`FDSTOREREMOVE=1\nFDNAME=${name}`);
  }

  #notify(text: string, descriptors?: readonly number[]): void {
    try {
      sendDescriptors(this.#socket, text, descriptors);
    } catch (error) {
      this.#log.warn({ reason: String(error), about: text.split("\n")[0] }, "systemd was not notified");
    }
  }
}
