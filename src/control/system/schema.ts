/** Schemas of what an operator sees of the installation. */
import { Type } from "typebox";
import { names, nullable } from "../kit/schema.ts";

const integer = (description: string) => Type.Integer({ description });
const octets = (description: string) => Type.Integer({ description: `${description}, in octets.` });
const text = (description: string) => Type.String({ description });
const time = (description: string) => Type.Integer({ description: `${description}, in Unix seconds.` });

export const Edge = Type.Object(
  {
    id: text("The host's name, and the first port of DNS."),
    revision: integer("The last revision of the zones that it has reported."),
    behind: integer("The revisions that it lacked then."),
    seen_at: time("When it last reported, by the store's clock. Edges report twice a minute"),
    age: integer("Seconds since then."),
    differing: integer("Zones that it answers otherwise than the store has them, 20 at most."),
    version: nullable(text("Null until the first report after its start, as are the fields below.")),
    started: nullable(time("When it started")),
    networks: nullable(Type.Array(Type.Integer(), { description: "The networks that it answers for; null for all." })),
    zones: nullable(integer("Zones in its memory.")),
    records: nullable(integer("RRsets in its memory.")),
    queries: nullable(Type.Number({ description: "Queries a second between its last two reports." })),
    memory: nullable(octets("Memory of the process")),
    zone_memory: nullable(octets("Memory of the zones in it")),
  },
  { $id: "Edge" },
);

export const ControlProcess = Type.Object(
  {
    id: text("The name of the process as a holder of leases."),
    host: text("The name of its host."),
    version: Type.String(),
    started: time("When it started"),
    seen_at: time("When it last renewed its sign, by the store's clock: four times a minute"),
    leases: names("What it does for all control processes now, such as `sequencer`."),
    self: Type.Boolean({ description: "Whether it answered this request." }),
  },
  { $id: "ControlProcess" },
);

export const StoreState = Type.Object(
  {
    server: text("The server's name and version."),
    embedded: Type.Boolean({ description: "Whether the server runs on this machine for this service alone." }),
    started: time("When the server started"),
    size: octets("The size of the database"),
    schema: text("The last migration."),
    epoch: integer("Grows whenever the store was put back to an earlier moment."),
    revision: integer("The last revision of zones and records."),
    live_revision: integer("The last revision of the values of feeds."),
    unnumbered: integer("Changes that have no revision yet."),
    connections: Type.Object({ used: integer("Of all clients of the database."), most: integer("Of the server.") }),
    replication: Type.Object({
      synchronous: text("Standbys that must confirm a commit, as the server's configuration names them; may be empty."),
      standbys: Type.Array(
        Type.Object({
          name: Type.String(),
          state: nullable(text("Null if the service's user may not see it, as are the fields below.")),
          sync: nullable(text("Such as `async`, `sync` or `quorum`.")),
          behind: nullable(octets("Log that it has not replayed")),
        }),
      ),
    }),
    disk: Type.Object(
      {
        directory: text("The data directory."),
        free: octets("Free space"),
        size: octets("All space"),
        has_store: Type.Boolean({ description: "Whether the store is in this directory, too." }),
      },
      { description: "The disk of the control process that answers." },
    ),
  },
  { $id: "StoreState" },
);

export const Setting = Type.Object(
  {
    key: text("The name in the configuration file."),
    flag: Type.String(),
    variable: text("The environment variable."),
    source: Type.Enum(["default", "file", "environment", "flag"]),
    values: names("The given texts: one, or several of a list. Empty for the default, and for every secret."),
    secret: Type.Boolean({ description: "Whether the value is never shown: `source` says whether it is set." }),
    default: text("The default, in words."),
    desc: Type.String(),
    role: nullable(text("The only command besides `serve` that reads it: `serve`, `control` or `edge`.")),
    reloads: Type.Boolean({ description: "Whether `fairlead reload` applies a change." }),
  },
  { $id: "ConfigurationSetting" },
);

export const Account = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created: time("When it was made"),
    suspended_at: nullable(time("Since when it is suspended; null if it is not")),
    operator: Type.Boolean({
      description: "Whether the rights `operator.view` and `operator.manage` have an effect in it.",
    }),
    zones: integer("Counted to 100,000 at most, like the next three."),
    records: Type.Integer(),
    users: Type.Integer(),
    keys: Type.Integer(),
  },
  { $id: "OperatorAccount" },
);
