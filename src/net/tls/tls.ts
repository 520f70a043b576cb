/** TLS in front of a listener: handshakes on connections that were accepted elsewhere, with a certificate that may change. */
import { constants } from "node:crypto";
import type { Socket } from "node:net";
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from "node:tls";

/** PEM; the certificate first, then those that lead to its issuer. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface TlsOptions {
  /** ALPN: a client that asks for others only is refused (RFC 7301); one that asks for none is served. */
  readonly protocols: readonly string[];
  /** Milliseconds for the handshake. */
  readonly handshake: number;
  readonly onFailed: () => void;
}

/** What DNS over TLS is called where both ends agree on what they speak (ALPN). */
export const dnsOverTls = "dot";

type Secured = (socket: TLSSocket) => void;

export class TlsFront {
  readonly #server: Server;
  /** By the ends of the connection: what goes on when its handshake is done. */
  readonly #waiting = new Map<string, Secured>();
  #ready = false;

  constructor({ protocols, handshake, onFailed }: TlsOptions) {
    this.#server = createServer({
      ALPNProtocols: [...protocols],
      handshakeTimeout: handshake,
      allowHalfOpen: true,
      ...secure,
    });
    this.#server.on("secureConnection", (socket) => this.#waiting.get(ends(socket))?.(socket));
    this.#server.on("tlsClientError", (_, socket) => {
      onFailed();
      socket.destroy();
    });
  }

  /** Used from the next handshake on. Throws when the two do not belong together. */
  use({ cert, key }: Certificate): void {
    this.#server.setSecureContext({ ...secure, cert, key });
    this.#ready = true;
  }

  /** Calls `then` with the other side of TLS. A socket whose handshake fails is closed, as every one without a certificate is. */
  begin(socket: Socket, then: Secured): void {
    if (!this.#ready) return void socket.destroy();
    const name = ends(socket);
    this.#waiting.set(name, then);
    socket.on("close", () => {
      if (this.#waiting.get(name) === then) this.#waiting.delete(name);
    });
    this.#server.emit("connection", socket);
  }
}

/** RFC 9103 section 7.1: zones are transferred over TLS 1.3 only, and where both ends have agreed on DNS. */
export const mayCarryTransfers = (socket: TLSSocket) =>
  socket.getProtocol() === "TLSv1.3" && socket.alpnProtocol === dnsOverTls;

/** RFC 9325: nothing below TLS 1.2; a client cannot have us negotiate again and again. */
const secure: SecureContextOptions = { minVersion: "TLSv1.2", secureOptions: constants.SSL_OP_NO_RENEGOTIATION };

const ends = ({ remoteAddress, remotePort, localAddress, localPort }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
