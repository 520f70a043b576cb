/** The operator's listener, apart from the API: metrics, health and the state of the parts. */
import { once } from "node:events";
import type { Config } from "../../config/config.ts";
import type { Extra } from "../../http/server.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import { createServer } from "../../net/https/node-http.ts";
import { refused } from "./ports.ts";

const usual: Endpoint = { address: "127.0.0.1", port: 9153 };

export const metricsEndpoint = ({ metrics }: Pick<Config, "metrics">): Endpoint => metrics ?? usual;

/** `fd` is the socket, if it was inherited. */
export async function serveMetrics(
  endpoint: Endpoint,
  extras: readonly Extra[],
  fd?: number,
): Promise<{ close(): Promise<void> }> {
  const paths = `only ${extras.map(({ path }) => path).join(", ")} are available here\n`;
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: string, type = "text/plain; charset=utf-8") =>
      response.writeHead(status, { "content-type": type }).end(body);
    const extra = extras.find(({ path }) => path === request.url);
    if (!extra) return answer(404, paths);
    try {
      const { status = 200, type, body } = await extra.run();
      answer(status, body, type);
    } catch {
      answer(503, `${extra.path} is not available at the moment\n`);
    }
  });
  const where = fd === undefined ? { host: endpoint.address, port: endpoint.port } : { fd };
  await once(server.listen(where), "listening").catch((error) => {
    throw refused("--metrics", endpoint, error);
  });
  return {
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
