/** A relay to a server on this machine that can be pointed elsewhere, be cut, or be slow: an operator's proxy, or a bad line. */
import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";

export class Relay implements AsyncDisposable {
  /** The port of the server, or the path of its socket. */
  target: number | string;
  /** Milliseconds by which each part of the server's replies is delayed. */
  delay = 0;
  #isCut = false;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#serve(client));

  private constructor(target: number | string) {
    this.target = target;
  }

  static async open(target: number | string): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends all connections and takes none until `restore`. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  restore(): void {
    this.#isCut = false;
    this.delay = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket): void {
    if (this.#isCut) return void client.destroy();
    const { target } = this;
    const server = typeof target === "string" ? createConnection(target) : createConnection(target, "127.0.0.1");
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on("error", end).on("close", () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    client.on("data", (octets) => server.write(octets));
    // each timer sends the first part that is left, so that octets stay in order when the delay shrinks
    const parts: Buffer[] = [];
    server.on("data", (octets: Buffer) => {
      if (this.delay === 0 && parts.length === 0) return void client.write(octets);
      parts.push(octets);
      setTimeout(() => client.write(parts.shift()!), this.delay);
    });
  }
}
