/**
 * TLS on connections that a listener has accepted, with a replaceable certificate. What a client sends, handshakes
 * included, is read in small pieces in its turns.
 */
import { constants } from "node:crypto";
import type { Socket } from "node:net";
import { createSecureContext, createServer, type SecureContextOptions, type Server, type TLSSocket } from "node:tls";
import { Pieces } from "../connection/pieces.ts";
import type { ConnectionTurns } from "../connection/turns.ts";

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

/** The most octets of records that are read in one turn, since a record may be small and cost as much as a large one. */
export const recordOctets = 1024;

type Secured = (socket: TLSSocket) => void;

export class TlsFront {
  readonly #server: Server;
  /** Called if a handshake ends in the piece that is being read. */
  #secured: Secured | undefined;
  #ready = false;

  constructor({ protocols, handshake, onFailed }: TlsOptions) {
    this.#server = createServer({
      ALPNProtocols: [...protocols],
      handshakeTimeout: handshake,
      allowHalfOpen: true,
      ...secure,
    });
    this.#server.on("secureConnection", (socket) => this.#secured?.(socket));
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
  begin(socket: Socket, turns: ConnectionTurns, then: Secured): void {
    if (!this.#ready) return void socket.destroy();
    let isSecured = false;
    const secured = (stream: TLSSocket) => {
      isSecured = true;
      then(stream);
    };
    const when = (give: () => void) => {
      const task = () => {
        this.#secured = secured;
        try {
          give();
        } finally {
          this.#secured = undefined;
        }
      };
      return isSecured ? turns.run(task) : turns.begin(task);
    };
    this.#server.emit("connection", new Pieces(socket, { octets: recordOctets, when }));
  }
}

/** RFC 9103 section 7.1: zones are transferred only over TLS 1.3 with the ALPN name of DNS over TLS. */
export const mayCarryTransfers = (socket: TLSSocket) =>
  socket.getProtocol() === "TLSv1.3" && socket.alpnProtocol === dnsOverTls;

/** The groups of usual clients. P-384, P-521 and X448 cost several times as much for each handshake. */
export const curves = ["X25519MLKEM768", "X25519", "P-256"].filter((curve) => {
  try {
    return createSecureContext({ ecdhCurve: curve });
  } catch {
    // older versions of Node do not have the first one
    return false;
  }
});

/** RFC 9325: TLS 1.2 or later, without renegotiation. */
const secure: SecureContextOptions = {
  minVersion: "TLSv1.2",
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ecdhCurve: curves.join(":"),
};
