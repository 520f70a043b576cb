/** A listener for Prometheus alone, where metrics must not stand beside a public API. */
import { createServer } from "node:http";
import type { Config } from "../config.ts";
import { refused } from "./ports.ts";
import type { Endpoint } from "./values.ts";

const usual: Endpoint = { address: "127.0.0.1", port: 9153 };

/** Where metrics have a listener of their own: where the operator said so, or when the API can be reached from outside. */
export function metricsEndpoint({ metrics, http }: Config): Endpoint | undefined {
  const loopback = http.address === "::1" || http.address.startsWith("127.");
  return metrics ?? (loopback ? undefined : usual);
}

/** The same for an edge, which has no API. */
export const edgeMetricsEndpoint = ({ metrics }: Config): Endpoint => metrics ?? usual;

export async function serveMetrics(
  endpoint: Endpoint,
  read: () => Promise<string>,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: string) =>
      response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(body);
    if (request.url !== "/metrics") return answer(404, "metrics are at /metrics\n");
    read().then(
      (text) => answer(200, text),
      () => answer(503, "metrics cannot be read now\n"),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(refused("--metrics", endpoint, error)));
    server.listen({ host: endpoint.address, port: endpoint.port }, resolve);
  });
  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
