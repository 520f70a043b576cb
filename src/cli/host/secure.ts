/** Sockets and certificate for encrypted DNS. The code for them is loaded only when it is needed. */
import type { Config } from "../../config/config.ts";
import type { EdgeOptions } from "../../edge/edge.ts";

/** Undefined without encrypted DNS. Throws a Problem that names the flag if the configured files are unusable. */
export async function secureOf(config: Config): Promise<EdgeOptions["secure"]> {
  const { tlsCert, tlsKey, dot, doh } = config;
  if (tlsCert === undefined && tlsKey === undefined && dot.length + doh.length === 0) return undefined;
  const { provideCertificate, secureSockets } = await import("./certificate.ts");
  const certificate = await provideCertificate(config);
  return certificate && { listen: secureSockets(config), certificate };
}
