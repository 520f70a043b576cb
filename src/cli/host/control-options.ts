/** The options of the control plane that follow from the configuration. */
import type { Config } from "../../config/config.ts";
import { type Key, keys } from "../../config/keys.ts";
import { version } from "../../config/version.ts";
import type { Setting } from "../../control/system/installation.ts";
import { isLoopback } from "../../lib/address/egress.ts";
import { masterKeyFile } from "./directory.ts";
import { mailOf } from "./mail.ts";
import { networksOf } from "./networks.ts";

export const controlOptions = (config: Config, storeUrl: string) => ({
  ...config,
  ...mailOf(config),
  linkBase: config.publicUrl,
  storeUrl,
  listen: config.http,
  directory: config.data,
  masterKeyFile: masterKeyFile(config),
  networks: networksOf(config),
  deletionGuard: config.deletionGuard.percent,
  guardsSingle: config.deletionGuard.isSingle,
  importLimit: config.importLimit * 2 ** 20,
  pullLimits: {
    octets: config.transferLimit * 2 ** 20,
    message: config.transferTime.message * 1000,
    transfer: config.transferTime.transfer * 1000,
  },
  refreshes: config.transfersIn,
  own: [...config.dns, ...config.dot, ...config.doh, ...storeEndpoints(storeUrl)],
  egressAllow: config.egressAllow ?? [],
  isPrivateOpen: config.egressAllow === undefined && isForThisMachine(config),
  rate: config.rateLimit,
  trustedProxies: config.trustedProxy,
  version,
  configuration: settingsOf(config),
});

/** The rows of the table of keys with what was given. */
const settingsOf = ({ given }: Config): Setting[] =>
  Object.entries<Omit<Key<unknown>, "parse" | "fallback" | "repeat">>(keys).map(([name, key]) => {
    const { flag, env, otherwise, desc, role = null, secret = false, reloads = false } = key;
    const found: Pick<Setting, "source" | "values"> = given[name] ?? { source: "default", values: [] };
    return { key: flag.slice(2), flag, variable: env, ...found, secret, default: otherwise, desc, role, reloads };
  });

/** Whether callers of the API are on this machine, as far as the configuration says. */
const isForThisMachine = ({ http, publicUrl, trustedProxy }: Config) =>
  isLoopback(http.address) && publicUrl === undefined && trustedProxy.length === 0;

/** The network address of the store; none for a store on a Unix socket. */
function storeEndpoints(storeUrl: string) {
  if (!URL.canParse(storeUrl)) return [];
  const { hostname, port, searchParams } = new URL(storeUrl);
  const address = searchParams.get("host") ?? hostname.replace(/^\[|\]$/g, "");
  return [{ address, port: Number(searchParams.get("port") ?? (port || 5432)) }];
}
