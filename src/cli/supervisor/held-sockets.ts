/** The open sockets of a service, by kind and address: opened here, or passed by systemd or by the service before. */
import { fstatSync } from "node:fs";
import { printEndpoint } from "../../config/values.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import { printIp } from "../../lib/address/ip.ts";
import { invalid } from "../../lib/problem.ts";
import { hasLibc } from "../../lib/system/libc.ts";
import { adoptUdp, closeFd, identify, identityOf, localAddress, openHttp } from "../../net/socket/sockets.ts";

/** The use of a socket. DNS over TCP, TLS and HTTPS is `tcp`; the API and metrics are `http`. */
export type Kind = "udp" | "tcp" | "http";

/** A descriptor that this process was started with, and its name at systemd. */
export interface PassedDescriptor {
  readonly fd: number;
  readonly name: string | undefined;
}

/** Keeps copies of sockets for the next start of the service. */
export interface Keeper {
  keep(name: string, descriptors: readonly number[]): void;
  forget(name: string): void;
}

interface Held {
  /** A name for people and for the keeper. */
  name: string;
  readonly fds: number[];
  /** Undefined until somebody takes what was passed. */
  kind: Kind | undefined;
}

export class HeldSockets {
  readonly #held = new Map<string, Held>();
  #keeper: Keeper | undefined;

  /** Takes what was passed. Descriptors that are no sockets for queries or requests are closed. */
  adopt(passed: readonly PassedDescriptor[]): void {
    if (passed.length === 0 || !hasLibc()) return;
    /** A socket may come twice: from a socket unit, and from the descriptor store. */
    const seen = new Set<number>();
    for (const { fd, name } of passed) {
      const found = identify(fd);
      const { ino } = fstatSync(fd);
      if (found === undefined || seen.has(ino)) {
        closeFd(fd);
        continue;
      }
      seen.add(ino);
      if (found.startsWith("udp")) adoptUdp(fd);
      const known = this.#held.get(found);
      if (known) known.fds.push(fd);
      else this.#held.set(found, { name: name ?? found, fds: [fd], kind: undefined });
    }
  }

  /** Whether an endpoint is open here, and not for something else. */
  has(kind: Kind, endpoint: Endpoint): boolean {
    const held = this.#held.get(identity(kind, endpoint));
    return held !== undefined && (held.kind === undefined || held.kind === kind);
  }

  /**
   * Returns the sockets of an endpoint: those that are held already, or as many as `open` returns. Throws a Problem if
   * the endpoint is open here for something else.
   */
  take(kind: Kind, endpoint: Endpoint, open: (endpoint: Endpoint) => readonly number[]): readonly number[] {
    const name = nameOf(kind, endpoint);
    const known = this.#held.get(identity(kind, endpoint));
    if (known) {
      if (known.kind === undefined) Object.assign(known, { kind, name });
      if (known.kind !== kind) throw invalid(`${printEndpoint(endpoint)} is named twice in the configuration`);
      return known.fds;
    }
    const held = { name, fds: [...open(endpoint)], kind };
    this.#held.set(identity(kind, endpoint), held);
    this.#keeper?.keep(name, held.fds);
    return held.fds;
  }

  /** Returns the socket of an endpoint for Node's HTTP server; undefined without libc, so that the server opens it. */
  takeHttp(endpoint: Endpoint): number | undefined {
    if (!hasLibc()) return undefined;
    return this.take("http", endpoint, ({ address, port }) => [openHttp(address, port)])[0];
  }

  /** From now on, the keeper has what is held here. */
  keepIn(keeper: Keeper): void {
    this.#keeper = keeper;
    for (const { name, fds } of this.#held.values()) keeper.keep(name, fds);
  }

  /** Closes sockets that were passed and that nobody has taken. Returns their addresses. */
  closeUntaken(): string[] {
    return [...this.#held].flatMap(([key, { kind, fds }]) => {
      if (kind !== undefined) return [];
      const { address, port } = localAddress(fds[0]!);
      this.#close(key);
      return `${key.split(" ")[0]} ${printEndpoint({ address: printIp(address), port })}`;
    });
  }

  /** Closes the sockets of which `isUnneeded` holds. */
  close(isUnneeded: (fds: readonly number[]) => boolean): void {
    for (const [key, { fds }] of [...this.#held]) if (isUnneeded(fds)) this.#close(key);
  }

  /** Closes all sockets here; a keeper still has them, with what waits in them. */
  closeAll(): void {
    this.#keeper = undefined;
    this.close(() => true);
  }

  all(): PassedDescriptor[] {
    return [...this.#held.values()].flatMap(({ name, fds }) => fds.map((fd) => ({ fd, name })));
  }

  #close(key: string): void {
    const held = this.#held.get(key);
    this.#held.delete(key);
    for (const fd of held?.fds ?? []) closeFd(fd);
    if (held) this.#keeper?.forget(held.name);
  }
}

const identity = (kind: Kind, { address, port }: Endpoint) => identityOf(kind === "http" ? "tcp" : kind, address, port);

/** A name without colons, which systemd does not take (sd_pid_notify_with_fds(3)). */
const nameOf = (kind: Kind, endpoint: Endpoint) =>
  `${kind}-${printEndpoint(endpoint).replace(/[[\]]/g, "").replaceAll(":", "_")}`;
