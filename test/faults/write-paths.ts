/** Writes of many kinds over the API, each with the objects that it needs. */
import { newId } from "../../src/lib/ids.ts";
import type { Client } from "../service/client.ts";

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface WritePath {
  readonly name: string;
  /** A table that the write changes, and by how many rows it grows. */
  readonly changes: string;
  /** Creates the objects that the next write needs; no other write uses them. */
  prepare(client: Client): Promise<Write>;
}

const answers = [{ answer: ["192.0.2.1"] }];
const nextName = () => `n${newId()}`;

async function newZone(client: Client): Promise<string> {
  const zone = `${nextName()}.example`;
  await client.must("PUT", `zones/${zone}`, {});
  return zone;
}

async function newRecord(client: Client): Promise<{ readonly zone: string; readonly path: string }> {
  const zone = await newZone(client);
  const path = `zones/${zone}/www.${zone}/A`;
  await client.must("PUT", path, { answers });
  return { zone, path };
}

async function newFeed(
  client: Client,
): Promise<{ readonly source: string; readonly path: string; readonly id: string }> {
  const { id: source } = await client.must("PUT", "data/sources", { name: nextName(), sourcetype: "nsone_v1" });
  const { id } = await client.must("PUT", `data/feeds/${source}`, { name: nextName(), config: { label: nextName() } });
  return { source: `data/sources/${source}`, path: `data/feeds/${source}/${id}`, id: String(id) };
}

async function made(client: Client, path: string, body: object): Promise<string> {
  const { id } = await client.must("PUT", path, { name: nextName(), ...body });
  return `${path}/${id}`;
}

const put = (domain: string) => ({ domain, type: "A", answers });

export const writePaths: readonly WritePath[] = [
  {
    name: "a zone is created",
    changes: "zone 1",
    prepare: async () => ({ method: "PUT", path: `zones/${nextName()}.example`, body: {} }),
  },
  {
    name: "the demo is made",
    changes: "zone 1",
    prepare: async () => ({ method: "PUT", path: "demo", body: { zone: `${nextName()}.example` } }),
  },
  {
    name: "a zone is changed",
    changes: "zone 0",
    prepare: async (client) => ({ method: "POST", path: `zones/${await newZone(client)}`, body: { ttl: 60 } }),
  },
  {
    name: "a zone is deleted",
    changes: "zone -1",
    prepare: async (client) => ({ method: "DELETE", path: `zones/${(await newRecord(client)).zone}` }),
  },
  {
    name: "a deleted zone comes back",
    changes: "deleted_zone -1",
    async prepare(client) {
      const { zone } = await newRecord(client);
      await client.must("DELETE", `zones/${zone}`);
      return { method: "POST", path: `deletedzones/${zone}/undelete`, body: {} };
    },
  },
  {
    name: "a record is created",
    changes: "record 1",
    async prepare(client) {
      const zone = await newZone(client);
      return { method: "PUT", path: `zones/${zone}/www.${zone}/A`, body: { answers } };
    },
  },
  {
    name: "a record is changed",
    changes: "record 0",
    prepare: async (client) => ({ method: "POST", path: (await newRecord(client)).path, body: { ttl: 60 } }),
  },
  {
    name: "a record is deleted",
    changes: "record -1",
    prepare: async (client) => ({ method: "DELETE", path: (await newRecord(client)).path }),
  },
  {
    name: "several records are put and deleted",
    changes: "record 2",
    async prepare(client) {
      const { zone } = await newRecord(client);
      const body = {
        put: ["a", "b", "c"].map((label) => put(`${label}.${zone}`)),
        remove: [{ domain: `www.${zone}`, type: "A" }],
      };
      return { method: "POST", path: `zones/${zone}/records`, body };
    },
  },
  {
    name: "a change set over two zones is applied",
    changes: "zone_history 2",
    async prepare(client) {
      const [first, second] = [await newZone(client), await newZone(client)];
      const records = [first, second].map((zone) => ({ action: "create", zone, ...put(`www.${zone}`) }));
      return { method: "PUT", path: "changesets", body: { records } };
    },
  },
  {
    name: "a zone file is imported",
    changes: "record 3",
    prepare: async () => ({
      method: "PUT",
      path: `import/zonefile/${nextName()}.example`,
      body: "$TTL 60\n@ SOA ns.example. admin.example. 1 2h 1h 2w 5m\nwww A 192.0.2.1\n* TXT text\n",
    }),
  },
  {
    name: "a version is activated",
    changes: "record 0",
    async prepare(client) {
      const { zone, path } = await newRecord(client);
      const { id } = await client.must("PUT", `zones/${zone}/versions`, {});
      await client.must("POST", path, { ttl: 60 });
      return { method: "POST", path: `zones/${zone}/versions/${id}/activate`, body: {} };
    },
  },
  {
    name: "a feed is created",
    changes: "feed 1",
    async prepare(client) {
      const { source } = await newFeed(client);
      const body = { name: nextName(), config: { label: nextName() } };
      return { method: "PUT", path: source.replace("sources", "feeds"), body };
    },
  },
  {
    name: "a feed is pushed to",
    changes: "feed 0",
    prepare: async (client) => ({ method: "POST", path: `feed/${(await newFeed(client)).id}`, body: { up: true } }),
  },
  {
    name: "a feed is deleted",
    changes: "feed -1",
    prepare: async (client) => ({ method: "DELETE", path: (await newFeed(client)).path }),
  },
  {
    name: "an API key is created",
    changes: "api_key 1",
    prepare: async () => ({ method: "PUT", path: "account/apikeys", body: { name: nextName() } }),
  },
  {
    name: "an API key is rotated",
    changes: "api_key_secret 1",
    prepare: async (client) => ({
      method: "POST",
      path: `${await made(client, "account/apikeys", {})}/rotate`,
      body: {},
    }),
  },
  {
    name: "an API key is deleted",
    changes: "api_key -1",
    prepare: async (client) => ({ method: "DELETE", path: await made(client, "account/apikeys", {}) }),
  },
  {
    name: "a user is invited",
    changes: "account_user 1",
    async prepare() {
      const username = nextName();
      const body = { name: username, username, email: `${username}@example.net` };
      return { method: "PUT", path: "account/users", body };
    },
  },
  {
    name: "a team with a key is deleted",
    changes: "team -1",
    async prepare(client) {
      const team = await made(client, "account/teams", {});
      await made(client, "account/apikeys", { teams: [team.split("/").at(-1)] });
      return { method: "DELETE", path: team };
    },
  },
  {
    name: "a TSIG key is created",
    changes: "tsig_key 1",
    prepare: async () => ({ method: "PUT", path: `tsig/${nextName()}.example`, body: { secret: "c2VjcmV0" } }),
  },
];
