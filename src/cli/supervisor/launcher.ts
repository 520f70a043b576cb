/** The start of a child, with what it needs: configuration, sockets, and files that only root can read. */
import type { Config } from "../../config/config.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import type { Log } from "../../lib/log.ts";
import { metricsEndpoint } from "../host/metrics.ts";
import { Files } from "./files.ts";
import type { HeldSockets } from "./held-sockets.ts";
import type { Role } from "./link.ts";
import type { Launch } from "./role-process.ts";
import { descriptorsBefore, type Handed } from "./sockets.ts";

export interface LauncherOptions {
  readonly storeUrl: string;
  readonly isAlone?: true;
  /** The environment of children; undefined for the one of this process. */
  readonly env: NodeJS.ProcessEnv | undefined;
  readonly held: HeldSockets;
  readonly log: Log;
}

export class Launcher {
  readonly #options: LauncherOptions;
  readonly #files: Files;

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
    const { storeUrl, isAlone, env, held } = this.#options;
    const all = [...descriptors];
    const number = (endpoint: Endpoint) => {
      const fd = held.takeHttp(endpoint);
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
}
