/** The routes with which an operator sees the whole installation: counts of other accounts, and nothing in them. */
import { type Static, Type } from "typebox";
import { Reply, routeFor } from "../../http/route/route.ts";
import type { Right } from "../access/rights.ts";
import { pageById } from "../kit/listing.ts";
import type { Ctx } from "../write/context.ts";
import { diskOf, type SystemServices } from "./installation.ts";
import { Account, ControlProcess, Edge, Setting, StoreState } from "./schema.ts";
import {
  accountsAfter,
  countsOf,
  type EdgeRow,
  findStoreFacts,
  listControls,
  listEdges,
  listStandbys,
  mostCounted,
} from "./store.ts";

const route = routeFor<Right, Ctx & SystemServices>();

const common = { method: "GET", tag: "System", right: "operator.view" } as const;
const path = "/v1/operator";

export const systemRoutes = [
  route({
    ...common,
    path: `${path}/edges`,
    summary: "List the edges",
    desc: "Edges that have reported within a day and have not ended since.",
    reply: Type.Array(Edge),
    page: 1000,
    async run({ page }, { db }) {
      const { items, last } = await pageById(page, (part) => listEdges(db, part));
      return new Reply(items.map(edgeShown), { next: last?.id });
    },
  }),
  route({
    ...common,
    path: `${path}/controls`,
    summary: "List the control processes",
    desc: "Those that run now. One that ended without a word is listed for another minute.",
    reply: Type.Array(ControlProcess),
    page: 1000,
    async run({ page }, { db, installation }) {
      const { items, last } = await pageById(page, (part) => listControls(db, part));
      const shown = items.map((row) => ({ ...row, self: row.id === installation.holder }));
      return new Reply(shown, { next: last?.id });
    },
  }),
  route({
    ...common,
    path: `${path}/store`,
    summary: "Get the state of the store",
    reply: StoreState,
    async run(_, { db, installation: { isStoreEmbedded, directory } }) {
      const { connections, most_connections, synchronous, ...facts } = await findStoreFacts(db);
      return {
        ...facts,
        embedded: isStoreEmbedded,
        connections: { used: connections, most: most_connections },
        replication: { synchronous, standbys: [...(await listStandbys(db))] },
        disk: { directory, ...(await diskOf(directory)), has_store: isStoreEmbedded },
      };
    },
  }),
  route({
    ...common,
    path: `${path}/configuration`,
    summary: "Get the configuration",
    desc: "Every key as the control process that answers was started with it. Edges elsewhere have a configuration of their own, and those of `fairlead serve` may have that of a later reload.",
    reply: Type.Array(Setting),
    run: async (_, { installation }) => [...installation.configuration],
  }),
  route({
    ...common,
    path: `${path}/accounts`,
    summary: "List all accounts",
    desc: `In the order of ids. Each count ends at ${mostCounted}.`,
    reply: Type.Array(Account),
    page: 50,
    async run({ page }, { db }) {
      const { items, last } = await pageById(page, (part) => accountsAfter(db, part));
      const shown: Static<typeof Account>[] = [];
      // one at a time: other requests of the operator's account go between
      for (const account of items) shown.push({ ...account, ...(await countsOf(db, account.id)) });
      return new Reply(shown, { next: last?.id });
    },
  }),
];

function edgeShown({ comparison, about, ...row }: EdgeRow): Static<typeof Edge> {
  return {
    ...row,
    differing: comparison?.differing.length ?? 0,
    version: about?.version ?? null,
    started: about?.started ?? null,
    networks: about?.networks ? [...about.networks] : null,
    zones: about?.zones ?? null,
    records: about?.records ?? null,
    queries: about?.queries ?? null,
    memory: about?.memory.process ?? null,
    zone_memory: about?.memory.zones ?? null,
  };
}
