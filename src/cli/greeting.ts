/** What a start prints for a person: where everything listens, the first key or where it is, and commands to try. */
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Endpoint } from "./values.ts";

export const printEndpoint = ({ address, port }: Endpoint) =>
  address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;

/** `key` is shown when given; without it the commands read it from the credentials file. */
export function greeting(config: Config, key: string | undefined): string {
  const url = `http://${printEndpoint(reachable(config.http))}`;
  const credentials = join(config.data, "credentials.json");
  const header = key ?? `$(sed -n 's/.*"key": "\\(.*\\)".*/\\1/p' '${credentials}')`;
  const dns = config.dns.map(printEndpoint).join(", ");
  const ask = reachable(config.dns[0]!);
  const put = (path: string, body: unknown) =>
    `  curl -sS -X PUT -H "X-SERVICE-Key: ${header}" ${url}/v1/${path} -d '${JSON.stringify(body)}'`;
  return [
    "",
    "Fairlead is running.",
    "",
    `  API        ${url}/v1   reference: ${url}/docs`,
    `  DNS        ${dns} (UDP and TCP)`,
    `  data       ${config.data}`,
    key === undefined ? `  API key    in ${credentials}` : `  API key    ${key}   (kept in ${credentials})`,
    "",
    "Create a zone, create a record, ask for it:",
    "",
    put("zones/example.com", { zone: "example.com" }),
    put("zones/example.com/www.example.com/A", {
      zone: "example.com",
      domain: "www.example.com",
      type: "A",
      answers: [{ answer: ["192.0.2.1"] }],
    }),
    `  dig @${ask.address} -p ${ask.port} www.example.com A`,
    "",
    "",
  ].join("\n");
}

/** An address that a command on this machine can use. */
function reachable({ address, port }: Endpoint): Endpoint {
  if (address === "0.0.0.0") return { address: "127.0.0.1", port };
  return { address: address === "::" ? "::1" : address, port };
}
