/** An account at its limits: of partners, which every worker knows, and of things that lists show. */
import { type Client, clientOf } from "../../service/client.ts";
import { type Attack, type Load, repeat } from "../attack.ts";

const zones = 1000;
const partners = 50;
const listed = 1000;

const zoneNamed = (number: number) => `z${number}.many.example`;
/** The partners of a zone, with the port of the last one. */
const secondaries = (last: number) =>
  Array.from({ length: partners }, (_, at) => {
    return { ip: `198.51.100.${at + 1}`, port: at + 1 < partners ? 53 : last, notify: false };
  });
const primary = (last = 53) => ({ primary: { enabled: true, secondaries: secondaries(last) } });

/** Changes one setting of the same zone, ten times a second. */
const changing =
  (bodyOf: (turn: number) => object): Load =>
  ({ url, key }, signal) => {
    const client = clientOf(url, key);
    let number = 0;
    return repeat(signal, 100, () => client.call("POST", `zones/${zoneNamed(0)}`, bodyOf(number++ % 2)));
  };

const listing =
  (...paths: readonly string[]): Load =>
  ({ url, key }, signal) => {
    const client = clientOf(url, key);
    let number = 0;
    return repeat(signal, 100, () => client.call("GET", paths[number++ % paths.length]!));
  };

/** Makes the things of several numbers at a time. */
async function make(client: Client, count: number, one: (number: number) => readonly [path: string, body: object]) {
  for (let number = 0; number < count; number += 8) {
    const few = Array.from({ length: Math.min(8, count - number) }, (_, at) => one(number + at));
    await Promise.all(few.map(([path, body]) => client.must("PUT", path, body)));
  }
}

export const manyThings: readonly Attack[] = [
  {
    name: "partners",
    what: "one of 50,000 partners of an account is changed ten times a second",
    victim: "udp",
    bar: 2,
    async prepare(client, { share }) {
      const many = Math.ceil(zones * share);
      await make(client, many, (number) => [`zones/${zoneNamed(number)}`, { zone: zoneNamed(number), ...primary() }]);
    },
    attack: changing((turn) => primary(53 + turn)),
    harmless: changing((turn) => ({ refresh: 3600 + turn })),
  },
  {
    name: "lists",
    what: "lists of 1,000 TSIG keys, sources and teams are read ten times a second",
    victim: "api",
    bar: 2,
    async prepare(client, { share }) {
      const many = Math.ceil(listed * share);
      const secret = Buffer.alloc(32).toString("base64");
      await make(client, many, (n) => [`tsig/key${n}`, { algorithm: "hmac-sha256", secret }]);
      await make(client, many, (n) => ["data/sources", { name: `s${n}`, sourcetype: "nsone_v1", config: {} }]);
      await make(client, many, (n) => ["account/teams", { name: `t${n}`, permissions: { dns: { view_zones: true } } }]);
    },
    attack: listing("tsig", "data/sources", "account/teams"),
    harmless: listing("zones"),
  },
];
