/** The control plane for a test: a real store, a real HTTP server on a free port, and clients that speak to it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { inject } from "vitest";
import { controlOptions } from "../../src/cli/host/control-options.ts";
import { readConfig } from "../../src/config/config.ts";
import type { PullLimits } from "../../src/control/exchange/transfers/primary.ts";
import { insertWithKey } from "../../src/control/people/operator/accounts.ts";
import { type ControlOptions, startControl } from "../../src/control/start.ts";
import type { Network } from "../../src/control/write/settings.ts";
import { credentialsFile } from "../../src/lib/files/credentials.ts";
import { newId, newKeyString } from "../../src/lib/ids.ts";
import { masterKeys, secretsFrom } from "../../src/lib/secrets.ts";
import { type Store, storeAt } from "../../src/storage/db.ts";
import { atEnd } from "../machine/at-end.ts";
import { silent, testDatabase } from "../store/store.ts";
import { type Answer, type Client, clientOf, type Fields } from "./client.ts";

export type { Answer, Client, Fields } from "./client.ts";

export interface Api extends Client {
  readonly url: string;
  readonly store: Store;
  /** The database URL, for an edge on the same store. */
  readonly storeUrl: string;
  /** The data directory. */
  readonly directory: string;
  client(key: string): Client;
  /** A key of the first account with these permissions. */
  limited(permissions: Fields, rest?: Fields): Promise<Client>;
  /** A full key of another account. */
  stranger(): Promise<Client>;
  /** Waits until the change of a write has its revision, and returns it. */
  numbered(answer: Answer<unknown>): Promise<{ revision: number; serials: Record<string, number> }>;
}

const pool = { name: "p01", name_servers: ["dns1.example.net", "dns2.example.net"] };
/** The default network of zones. */
export const networkZero: Network = { network_id: 0, name: "Global", label: "global", pools: [pool] };

type ApiOptions = Omit<Partial<ControlOptions>, "pullLimits"> & { readonly pullLimits?: Partial<PullLimits> };

/**
 * Starts the control plane with the defaults of the configuration; it is closed after the test file. With the `storeUrl` and `directory` of another `Api`, it
 * is a second node of the same service.
 */
export async function startApi({ pullLimits, ...options }: ApiOptions = {}): Promise<Api> {
  const directory = options.directory ?? mkdtempSync(join(inject("storeDirectory"), "api-"));
  const masterKeyFile = join(directory, "master.key");
  const storeUrl = options.storeUrl ?? (await testDatabase());
  const usual = controlOptions(readConfig({}, {}), storeUrl);
  const control = await startControl({
    ...usual,
    isStoreEmbedded: false,
    log: silent,
    listen: { address: "127.0.0.1", port: 0 },
    directory,
    masterKeyFile,
    networks: [networkZero],
    publicUrl: "https://dns.example.net",
    mailFrom: "fairlead@example.net",
    rate: { limit: 1_000_000, period: 1 },
    registry: new Registry(),
    extra: [],
    strictReplies: true,
    ...options,
    pullLimits: { ...usual.pullLimits, ...pullLimits },
  });
  // sees the rows of all accounts, unlike the service's own connection, and waits for large statements
  const store = storeAt(storeUrl, { log: silent, isFenced: false, patience: 60_000 });
  atEnd(async () => {
    await store.close();
    await control.close();
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${control.address.port}`;
  const { key } = JSON.parse(readFileSync(credentialsFile(directory), "utf8"));
  const first = clientOf(url, key);
  return {
    ...first,
    url,
    store,
    storeUrl,
    directory,
    client: (other) => clientOf(url, other),
    async limited(permissions, rest = {}) {
      const made = await first.must("PUT", "account/apikeys", { name: newId(), permissions, ...rest });
      return clientOf(url, String(made["key"]));
    },
    async stranger() {
      return clientOf(url, await newAccount(store, masterKeyFile));
    },
    async numbered(answer) {
      const id = answer.headers.get("x-fairlead-change");
      for (;;) {
        const change = await first.must<{ revision: number | null; serials: Record<string, number> }>(
          "GET",
          `changes/${id}`,
        );
        if (change.revision !== null) return { revision: change.revision, serials: change.serials };
      }
    },
  };
}

async function newAccount(store: Store, masterKeyFile: string): Promise<string> {
  const secrets = secretsFrom(masterKeys(masterKeyFile));
  const [username, key] = [`other-${newId()}`, newKeyString()];
  const names = { name: "other", username, user: "Administrator", keyName: "other" };
  const account = { ...names, email: "", key };
  await store.transaction((tx) => insertWithKey(tx, account, { secrets, now: 0 }));
  return key;
}
