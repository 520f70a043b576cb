/** How a service begins and ends: with sockets of systemd or of the service before, and by handing them to the next one. */
import type { Server } from "node:net";
import { type Config, type Passed, passed } from "../../config/config.ts";
import type { Log } from "../../lib/log.ts";
import { unavailable } from "../../lib/problem.ts";
import { hasLibc } from "../../lib/system/libc.ts";
import { type Program, type ReloadRequest, takeReloads } from "../commands/reload.ts";
import { holdDirectory } from "../host/directory.ts";
import { HeldSockets } from "../supervisor/held-sockets.ts";
import type { Start } from "../supervisor/link.ts";
import { hasBecome } from "../user/become.ts";
import { meetPredecessor, type Predecessor } from "./predecessor.ts";
import { ServiceManager } from "./service-manager.ts";
import { startSuccessor } from "./successor.ts";

/** A service that answers. */
export interface Answering {
  /** The data directory. */
  readonly data: string;
  /** Does what is asked, and resolves with a description of it. */
  readonly take: (request: ReloadRequest) => Promise<string>;
}

/** A service that another one follows. */
export interface Leaving {
  readonly config: Pick<Config, "xdp">;
  readonly program: Program;
  /** The revisions that its edge has applied. */
  readonly position: Start["takesOver"];
  /** Finishes what this service has begun. */
  readonly retire: () => Promise<void>;
}

export class Succession {
  readonly held = new HeldSockets();
  readonly #predecessor: Predecessor | undefined;
  readonly #passed: Passed;
  /** Whether this process is the service, to which the store belongs, and not yet or no longer another one. */
  isService: boolean;
  #manager: ServiceManager | undefined;
  #lock: Server | undefined;

  /** Takes what was passed to this process. */
  static async begin(): Promise<Succession> {
    const given = passed();
    return new Succession(given, given.followsParent ? await meetPredecessor() : undefined);
  }

  private constructor(given: Passed, predecessor: Predecessor | undefined) {
    this.#passed = given;
    this.#predecessor = predecessor;
    this.#lock = predecessor?.lock;
    this.isService = predecessor === undefined;
    this.held.adopt(given.descriptors);
  }

  /** The revisions that the edge of the previous service has applied; undefined without one. */
  get position(): Start["takesOver"] {
    return this.#predecessor?.position;
  }

  /** Locks a directory, unless its lock was inherited. */
  async hold(directory: string): Promise<void> {
    this.#lock ??= await holdDirectory(directory);
  }

  /** From now on, systemd keeps the sockets. It listens to the main process alone, which a successor is not yet. */
  keepSockets(log: Log): void {
    this.#manager = ServiceManager.at(this.#passed.notify, log);
    if (this.#manager && !this.#predecessor) this.held.keepIn(this.#manager);
  }

  /** Says why this process does not become the service. */
  async failed(error: unknown): Promise<void> {
    await this.#predecessor?.failed(error);
  }

  /**
   * Called when this process answers. Resolves when it is the service, and takes requests; only the process that has the
   * lock takes them.
   */
  async lead({ data, take }: Answering, log: Log): Promise<void> {
    await this.#predecessor?.ready();
    this.isService = true;
    if (this.#manager && this.#predecessor) this.held.keepIn(this.#manager);
    // sockets of former settings; systemd must know of them before it can forget them
    for (const socket of this.held.closeUntaken()) log.warn({ socket }, "no setting names this socket: it is closed");
    this.#manager?.ready();
    if (this.#lock) (await takeReloads(data, take)).unref();
    this.#predecessor?.leads();
  }

  /** Lets a program take over. Resolves with a description of it, and ends this process soon afterwards. */
  async handOver({ config, program, position, retire }: Leaving): Promise<string> {
    if (!this.isService) throw unavailable("another process has taken over");
    if (!hasLibc()) {
      throw unavailable("the sockets cannot be passed on, since Node's own are used: restart the service");
    }
    if (config.xdp.length > 0) {
      throw unavailable(
        "the queues of --xdp cannot be passed on: restart the service, which loses no query of the sockets",
      );
    }
    if (!this.#lock) throw unavailable("another process keeps the snapshots in this data directory: restart this one");
    if (hasBecome()) {
      throw unavailable(
        "root started this service, which then became another user and cannot start one with root's rights: " +
          "restart the service, or let systemd start it as the user",
      );
    }
    const since = performance.now();
    const args = process.argv.slice(2);
    const successor = await startSuccessor({ program, args, sockets: this.held.all(), lock: this.#lock, position });
    this.isService = false;
    this.#manager?.follow(successor.pid);
    await successor.lead();
    setImmediate(() => {
      retire().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
    return `${successor.pid} took over from ${process.pid} in ${((performance.now() - since) / 1000).toFixed(2)} s`;
  }
}
