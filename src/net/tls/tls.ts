/** TLS handshakes on connections that a listener has accepted, with a replaceable certificate. */
import { constants } from "node:crypto";
import type { Socket } from "node:net";
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from "node:tls";

/** PEM texts; `cert` has the certificate first, then the chain to its issuer. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface TlsOptions {
  /** ALPN: clients that offer only other protocols are refused (RFC 7301); clients without ALPN are served. */
  readonly protocols: readonly string[];
  /** Milliseconds for the handshake. */
  readonly handshake: number;
  readonly onFailed: () => void;
}

/** The ALPN name of DNS over TLS. */
export const dnsOverTls = "dot";

type Secured = (socket: TLSSocket) => void;

export class TlsFront {
  readonly #server: Server;
  /** The functions to call after handshakes, by the addresses of the connections. */
  readonly #waiting = new Map<string, Secured>();
  #ready = false;

  constructor({ protocols, handshake, onFailed }: TlsOptions) {
    this.#server = createServer({
      ALPNProtocols: [...protocols],
      handshakeTimeout: handshake,
      allowHalfOpen: true,
      ...secure,
    });
    this.#server.on("secureConnection", (socket) => this.#waiting.get(addressesOf(socket))?.(socket));
    this.#server.on("tlsClientError", (_, socket) => {
      onFailed();
      socket.destroy();
    });
  }

  /** Sets the certificate for later handshakes. Throws when certificate and key do not match. */
  use({ cert, key }: Certificate): void {
    this.#server.setSecureContext({ ...secure, cert, key });
    this.#ready = true;
  }

  /** Calls `then` with the secured socket. Closes the socket if the handshake fails or there is no certificate. */
  begin(socket: Socket, then: Secured): void {
    if (!this.#ready) return void socket.destroy();
    const name = addressesOf(socket);
    this.#waiting.set(name, then);
    socket.on("close", () => {
      if (this.#waiting.get(name) === then) this.#waiting.delete(name);
    });
    this.#server.emit("connection", socket);
  }
}

/** RFC 9103 section 7.1: zones are transferred only over TLS 1.3 with the ALPN name of DNS over TLS. */
export const mayCarryTransfers = (socket: TLSSocket) =>
  socket.getProtocol() === "TLSv1.3" && socket.alpnProtocol === dnsOverTls;

/** RFC 9325: TLS 1.2 or later, without renegotiation. */
const secure: SecureContextOptions = { minVersion: "TLSv1.2", secureOptions: constants.SSL_OP_NO_RENEGOTIATION };

const addressesOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
