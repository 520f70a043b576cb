/** An edge of an installation, and what happens to it while something happens to the store. */
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { soaQuery } from "../../src/dns/transfer/query.ts";
import { sign } from "../../src/dns/tsig/tsig.ts";
import { Rcode } from "../../src/dns/wire/constants.ts";
import { nameFromApi } from "../../src/dns/wire/name.ts";
import { exchange } from "../../src/net/client/exchange.ts";
import { makeSelfSigned } from "../../src/net/tls/self-signed.ts";
import { freePort } from "../machine/processes.ts";
import { key, zone } from "./contents.ts";
import { Part } from "./part.ts";
import { Relay } from "./relay.ts";

export const fates = ["stopped", "cut off", "slow", "running", "killed"] as const;
export type Fate = (typeof fates)[number];

interface EdgeOptions {
  /** The directory of the installation: its edges have the certificate and the master key that are in it. */
  readonly directory: string;
  readonly name: string;
  /** The port of the store. */
  readonly target: number;
}

/** Milliseconds by which replies of the store come late to an edge that is slow. */
const lateness = 2000;

export class Edge extends Part {
  readonly name: string;
  readonly port: number;
  /** Through which it reaches the store. */
  readonly relay: Relay;
  readonly #dot: number;
  readonly #certificate: string;
  #isCutOff = false;
  #since = 0;

  private constructor(
    { directory, name }: EdgeOptions,
    relay: Relay,
    ports: Readonly<Record<"dns" | "dot" | "metrics", number>>,
  ) {
    const flags = [
      ...["--database-url", `postgresql://fairlead@127.0.0.1:${relay.port}/fairlead`, "--data", join(directory, name)],
      ...["--master-key-file", join(directory, "control1/master.key"), "--metrics", `127.0.0.1:${ports.metrics}`],
      ...["--dns", `127.0.0.1:${ports.dns}`, "--dot", `127.0.0.1:${ports.dot}`, "--workers", "1"],
      ...["--tls-cert", join(directory, "tls.pem"), "--tls-key", join(directory, "tls.key")],
    ];
    super({ role: "edge", flags, readiness: ports.metrics });
    this.name = name;
    this.port = ports.dns;
    this.relay = relay;
    this.#dot = ports.dot;
    this.#certificate = join(directory, "tls.pem");
  }

  static async make(options: EdgeOptions): Promise<Edge> {
    const ports = { dns: await freePort(), dot: await freePort(), metrics: await freePort() };
    return new Edge(options, await Relay.open(options.target), ports);
  }

  /** Whether it runs, and reaches the store. */
  get isReachable(): boolean {
    return this.isRunning && this.#since > 0 && !this.#isCutOff;
  }

  /** Since when, in milliseconds of `performance.now`. */
  get reachableSince(): number {
    return this.#since;
  }

  override async start(sources?: string): Promise<void> {
    await super.start(sources);
    this.#since = performance.now();
  }

  override async end(signal?: NodeJS.Signals): Promise<void> {
    this.#since = 0;
    await super.end(signal);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.relay[Symbol.asyncDispose]();
  }

  async impair(fate: Fate): Promise<void> {
    if (fate === "stopped") await this.end();
    if (fate === "killed") await this.end("SIGKILL");
    if (fate === "slow") this.relay.delay = lateness;
    if (fate !== "cut off") return;
    this.#isCutOff = true;
    this.relay.cut();
  }

  async repair(): Promise<void> {
    this.relay.restore();
    this.#isCutOff = false;
    if (this.isRunning) this.#since = performance.now();
    else await this.start();
  }

  /** Whether it verifies the key of the zone, which the master key opens. */
  async knowsKey(): Promise<boolean> {
    const tsig = {
      name: nameFromApi(key.name),
      algorithm: "hmac-sha256",
      secret: Buffer.from(key.secret, "base64"),
    } as const;
    const { octets } = sign(soaQuery(7, nameFromApi(zone)), tsig, Math.floor(Date.now() / 1000));
    const reply = await exchange({ address: "127.0.0.1", port: this.port, transport: "tcp" }, octets).catch(
      () => undefined,
    );
    return reply !== undefined && (reply[3]! & 15) === Rcode.NOERROR;
  }

  /** Whether clients over TLS get the certificate that is in the file. */
  async hasCertificate(): Promise<boolean> {
    const socket = connect({ port: this.#dot, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: ["dot"] });
    try {
      await once(socket, "secureConnect");
      const wanted = new X509Certificate(readFileSync(this.#certificate)).fingerprint256;
      return socket.getPeerCertificate().fingerprint256 === wanted;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}

/** Puts a new certificate in place of the one that the edges of an installation use. */
export function replaceCertificate(directory: string): void {
  const [from, to] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000)];
  const { cert, key } = makeSelfSigned({ names: ["dns.operate.example"], from, to });
  // the key first: until the other file is there, the pair does not match and the one before stays in use
  writeFileSync(join(directory, "tls.key"), key);
  writeFileSync(join(directory, "tls.pem"), cert);
}
