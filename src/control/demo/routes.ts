/** The route that makes the demo. */
import { Type } from "typebox";
import { Reply } from "../../http/route/route.ts";
import { maybe } from "../kit/schema.ts";
import { route } from "../write/route.ts";
import { zoneOnly } from "../zones/model/zone/present.ts";
import { makeDemo } from "./demo.ts";

const DemoBody = Type.Object(
  { zone: maybe(Type.String({ description: "FQDN of the new zone; demo.example when left out." })) },
  { $id: "DemoBody", examples: [{ zone: "demo.example" }] },
);

const Demo = Type.Object(
  {
    zone: Type.String(),
    source: Type.String({ description: "The id of the data source, for `POST /v1/feed/:id`." }),
    feeds: Type.Object(
      { east: Type.String(), west: Type.String() },
      { description: "The ids of the feeds. Each label is also a key of a push to the source: `{east: {up: false}}`." },
    ),
    records: Type.Array(Type.Object({ domain: Type.String(), type: Type.String() }), {
      description: "Steered records. The first one is geographic with failover.",
    }),
  },
  { $id: "Demo" },
);

export const demoRoutes = [
  route({
    method: "PUT",
    path: "/v1/demo",
    tag: "Zones",
    summary: "Create a demo zone with steered records",
    desc: "Creates a zone, a data source with two feeds, and records whose answers depend on the client and on the feeds. They are ordinary objects of the account, to be changed and deleted like others. Refused if the zone exists. Also needs `manage_datasources` and `manage_datafeeds`.",
    right: "dns.manage_zones",
    body: DemoBody,
    reply: Demo,
    log: ["dns_zone", "demo"],
    within: 10_000,
    async run({ body }, ctx) {
      const { zone: row, source, feeds, records } = await makeDemo(ctx, body.zone);
      return new Reply(
        { zone: row.zone, source, feeds: { ...feeds }, records: [...records] },
        { resource: { ...zoneOnly(ctx, row), source, feeds } },
      );
    },
  }),
];
