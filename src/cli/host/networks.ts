/** The configured networks: those of a file, and network 0 from `--nameservers`. */
import { readFileSync } from "node:fs";
import { type Static, Type } from "typebox";
import type { Config } from "../../config/config.ts";
import { hostName } from "../../config/values.ts";
import type { Network, Pool } from "../../control/write/settings.ts";
import { checkOf } from "../../http/route/schema.ts";
import { invalid } from "../../lib/problem.ts";

const closed = { additionalProperties: false };
const Networks = Type.Array(
  Type.Object(
    {
      network_id: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
      name: Type.String({ minLength: 1 }),
      label: Type.Optional(Type.String()),
      pools: Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1 })),
    },
    closed,
  ),
);

const placeholders = [1, 2, 3, 4].map((n) => `dns${n}.p01.fairlead.test`);

/** Throws a Problem that names the file and the network. */
export function networksOf({ networks: file, nameservers }: Pick<Config, "networks" | "nameservers">): Network[] {
  const named = file === undefined ? [] : readNetworks(file);
  if (!named.some(({ network_id }) => network_id === 0)) {
    const pool = { name: "p01", name_servers: nameservers.length > 0 ? nameservers : placeholders };
    named.unshift({ network_id: 0, name: "Fairlead global network", label: "global", pools: [pool] });
  } else if (nameservers.length > 0) {
    throw invalid(`--nameservers: ${file} already sets the name servers of network 0`, { key: "--nameservers" });
  }
  assertUnique(named);
  return named;
}

function readNetworks(file: string): Network[] {
  const refuse = (reason: string) => invalid(`--networks: ${file}: ${reason}`, { key: "--networks" });
  let content: Static<typeof Networks>;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  const fault = checkOf(Networks)(content);
  if (fault) throw refuse(`${fault.field || "the file"} ${fault.must}`);
  return content.map(({ network_id, name, label = name, pools }) => {
    const list = Object.entries(pools);
    if (list.length === 0) throw refuse(`network ${network_id} has no pool`);
    return { network_id, name, label, pools: list.map((pool) => readPool(pool, refuse)) };
  });
}

function readPool([name, servers]: [string, string[]], refuse: (reason: string) => Error): Pool {
  try {
    return { name, name_servers: servers.map(hostName) };
  } catch (error) {
    throw refuse(`pool ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Zones store the name of a pool only, so pool names are unique across networks. */
function assertUnique(networks: readonly Network[]): void {
  const twice = (list: readonly (string | number)[]) => list.find((one, index) => list.indexOf(one) !== index);
  const id = twice(networks.map(({ network_id }) => network_id));
  if (id !== undefined) throw invalid(`--networks: network ${id} is listed twice`, { key: "--networks" });
  const pool = twice(networks.flatMap(({ pools }) => pools.map(({ name }) => name)));
  if (pool !== undefined) throw invalid(`--networks: pool ${pool} is listed twice`, { key: "--networks" });
}
