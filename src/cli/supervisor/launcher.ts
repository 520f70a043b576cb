/** The start of a child, with what it needs: configuration, sockets, and files that only root can read. */
import type { Config } from "../../config/config.ts";
import { printEndpoint } from "../../config/values.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import type { Log } from "../../lib/log.ts";
import { hasLibc } from "../../net/socket/libc.ts";
import { openTcp } from "../../net/socket/sockets.ts";
import { metricsEndpoint } from "../host/metrics.ts";
import { hasBecome } from "../user/become.ts";
import { Files } from "./files.ts";
import type { Role } from "./link.ts";
import type { Launch } from "./role-process.ts";
import { descriptorsBefore, type Handed } from "./sockets.ts";

/** The first port that every user can open (ip_unprivileged_port_start). */
const firstFree = 1024;

export interface LauncherOptions {
  readonly storeUrl: string;
  readonly isAlone?: true;
  /** The environment of children; undefined for the one of this process. */
  readonly env: NodeJS.ProcessEnv | undefined;
  readonly log: Log;
}

export class Launcher {
  readonly #options: LauncherOptions;
  readonly #files: Files;
  /** Sockets of the API and of metrics, by their endpoints. */
  readonly #sockets = new Map<string, number>();

  constructor(options: LauncherOptions) {
    this.#options = options;
    this.#files = new Files(options.log);
  }

  control(config: Config): Launch {
    return this.#launch("control", config, { listen: [], descriptors: [] });
  }

  edge(config: Config, handed: Handed): Launch {
    return this.#launch("edge", config, handed);
  }

  #launch(role: Role, config: Config, { listen, secure, xdp, descriptors }: Handed): Launch {
    const { storeUrl, isAlone, env } = this.#options;
    const all = [...descriptors];
    const number = (endpoint: Endpoint) => {
      const fd = this.#lowSocket(endpoint);
      return fd === undefined ? undefined : descriptorsBefore - 1 + all.push(fd);
    };
    const servesMetrics = role === "control" || isAlone === true;
    const http = role === "control" ? number(config.http) : undefined;
    const metrics = servesMetrics ? number(metricsEndpoint(config)) : undefined;
    const files = this.#files.hand(role, config, descriptorsBefore + all.length);
    const inherited = [...all, ...files.descriptors];
    const queues = xdp?.number((fd) => descriptorsBefore - 1 + inherited.push(fd));
    const { tlsCert: cert, tlsKey: key } = files.config;
    const certificate = cert !== undefined && key !== undefined ? { cert, key } : secure?.certificate;
    return {
      start: {
        kind: "start",
        config: files.config,
        storeUrl,
        listen,
        ...(secure && certificate ? { secure: { ...secure, certificate } } : {}),
        ...(queues ? { xdp: queues(descriptorsBefore + inherited.length) } : {}),
        ...(http === undefined ? {} : { http }),
        ...(metrics === undefined ? {} : { metrics }),
        ...(isAlone ? { isAlone } : {}),
      },
      descriptors: inherited,
      ...(xdp ? { own: xdp } : {}),
      ...(env ? { env } : {}),
    };
  }

  /** Opens the socket for a child that cannot do it itself; once, since the child may start again. */
  #lowSocket(endpoint: Endpoint): number | undefined {
    if (!hasBecome() || !hasLibc() || endpoint.port >= firstFree) return undefined;
    const name = printEndpoint(endpoint);
    const fd = this.#sockets.get(name) ?? openTcp(endpoint.address, endpoint.port);
    this.#sockets.set(name, fd);
    return fd;
  }
}
