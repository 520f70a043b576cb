/** A cheap client of the API: one connection, one request at a time, replies delimited by Content-Length. */
import { once } from "node:events";
import { connect } from "node:net";
import type { Service } from "../../test/service/kit.ts";

export interface Call {
  readonly method: string;
  /** Relative to `/v1`, or absolute if it begins with a slash. */
  readonly path: string;
  readonly body?: unknown;
}

export interface ApiClient {
  /** The reply's body; throws unless the status is 200. */
  call(call: Call): Promise<string>;
  close(): void;
}

const headEnd = "\r\n\r\n";

/** The URL and key of the API. */
export type ApiAccess = Pick<Service, "url" | "key">;

export async function apiClient({ url, key }: ApiAccess): Promise<ApiClient> {
  const { hostname, port } = new URL(url);
  const fixed = `Host: ${hostname}:${port}\r\nX-SERVICE-Key: ${key}\r\nContent-Type: application/json\r\n`;
  const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding("latin1");
  await once(socket, "connect");
  let received = "";
  let waiting: { resolve(body: string): void; reject(error: Error): void } | undefined;
  socket.on("data", (text: string) => {
    received += text;
    const end = received.indexOf(headEnd);
    if (end < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1]);
    const body = end + headEnd.length;
    if (received.length < body + length) return;
    const reply = received;
    received = "";
    if (reply.startsWith("HTTP/1.1 200 ")) waiting?.resolve(reply.slice(body));
    else waiting?.reject(new Error(reply));
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error("the API closed the connection")));
  return {
    call: ({ method, path, body }) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        const text = body === undefined ? "" : JSON.stringify(body);
        const length = Buffer.byteLength(text);
        const target = path.startsWith("/") ? path : `/v1/${path}`;
        socket.write(`${method} ${target} HTTP/1.1\r\n${fixed}Content-Length: ${length}\r\n\r\n${text}`, "utf8");
      }),
    close: () => socket.destroy(),
  };
}
