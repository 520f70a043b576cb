/** Cases of bodies and queries: each field that can refer to an object, filled with another account's objects. */
import { metaKeys } from "../../../src/answer/model/meta.ts";
import type { routes } from "../../../src/control/index.ts";
import type { Case } from "./compare.ts";
import { type AccountObjects, kinds, nameless, victim } from "./objects.ts";
import { kindsOf, nameOf, pathOf } from "./paths.ts";
import { referringFields } from "./schema-fields.ts";

type Route = (typeof routes)[number];
type Body = Readonly<Record<string, unknown>>;

const refused = [400, 404];
/** A link may name what does not exist. */
const mayBeMissing = [200, ...refused];
/** Without versions, whose numbers are valid in any zone. */
const allOf = (objects: AccountObjects) => kinds.flatMap((kind) => (kind === "version" ? [] : objects.ids[kind]));

/** The requests that write a record; each puts the given fields into its body. */
function recordWrites(zone: string): ((record: Body) => Pick<Case, "method" | "path"> & { body: Body })[] {
  const fresh = `new.${zone}`;
  const at = (method: string, path: string, body: Body) => ({ method, path: () => path, body });
  const there = `www.${zone}`;
  return [
    (record) => at("PUT", `zones/${zone}/${fresh}/A`, record),
    (record) => at("POST", `zones/${zone}/${there}/A`, record),
    (record) => at("POST", `zones/${zone}/records`, { put: [{ domain: fresh, type: "A", ...record }] }),
    (record) => at("PUT", "changesets", { records: [{ action: "put", zone, domain: fresh, type: "A", ...record }] }),
    (record) =>
      at("PUT", "changesets?dry_run=true", { records: [{ action: "put", zone, domain: there, type: "A", ...record }] }),
    (record) =>
      at("POST", "explain", { name: there, records: [{ action: "put", zone, domain: there, type: "A", ...record }] }),
  ];
}

/** Metadata that takes its value from another account's feed, in every object that can have metadata. */
export function feedCases(own: AccountObjects, theirs: AccountObjects): Case[] {
  const [zone = ""] = own.ids.zone;
  const answer = ["192.0.2.1"];
  const records: ((meta: Body) => Body)[] = [
    (meta) => ({ answers: [{ answer, meta }] }),
    (meta) => ({ answers: [{ answer, region: "r" }], regions: { r: { meta } } }),
    (meta) => ({ answers: [{ answer }], meta }),
  ];
  const [feed = ""] = theirs.ids.feed;
  const inRecords = (key: string, value: string) =>
    recordWrites(zone).flatMap((write) =>
      records.map((record): Case => {
        const { method, path } = write(record({}));
        const body = ([id = ""]: readonly string[]) => write(record({ [key]: { feed: id } })).body;
        return { method, path, body, values: [value], statuses: refused };
      }),
    );
  const elsewhere = (key: string): Case[] => {
    const meta = ([id = ""]: readonly string[]) => ({ [key]: { feed: id } });
    return [
      {
        method: "POST",
        path: () => `zones/${zone}/www.${zone}/A/answers`,
        body: (values) => ({ add: [{ answer: ["192.0.2.77"], meta: meta(values) }] }),
        values: [feed],
        statuses: refused,
      },
      {
        method: "POST",
        path: () => `zones/${zone}`,
        body: (values) => ({ meta: meta(values) }),
        values: [feed],
        statuses: refused,
      },
    ];
  };
  return [
    ...Object.keys(metaKeys).flatMap((key) => [...inRecords(key, feed), ...elsewhere(key)]),
    ...allOf(theirs).flatMap((value) => inRecords("up", value)),
  ];
}

/** Further references in zones, records and keys. */
export function referenceCases(own: AccountObjects, theirs: AccountObjects): Case[] {
  const [zone = ""] = own.ids.zone;
  const [key = ""] = own.ids.key;
  const secondaries = (tsig_key: string) => ({
    enabled: true,
    secondaries: [{ ip: "127.0.0.1", notify: false, tsig_key }],
  });
  const put = (path: string, body: (value: string) => Body, method = "PUT") =>
    allOf(theirs).map(
      (value): Case => ({
        method,
        path: () => path,
        body: ([id = ""]) => body(id),
        values: [value],
        statuses: refused,
      }),
    );
  return [
    ...allOf(theirs).map(
      (value, nth): Case => ({
        method: "PUT",
        path: ([link]) => `zones/tied${nth}.${link === value ? victim : nameless}.${zone}`,
        body: ([link = ""]) => ({ link }),
        values: [value],
        statuses: mayBeMissing,
      }),
    ),
    ...put(`zones/tied.${zone}`, (tsig_key) => ({ primary: secondaries(tsig_key) })),
    ...put(`zones/${zone}`, (tsig_key) => ({ primary: secondaries(tsig_key) }), "POST"),
    ...put(`zones/tied.${zone}`, (of) => ({ primary: secondaries(""), catalog: { role: "member", of } })),
    ...put(`zones/${zone}`, (of) => ({ catalog: { role: "member", of } }), "POST"),
    ...put("account/apikeys", (id) => ({ name: "tied", teams: [id] })),
    ...put(`account/apikeys/${key}`, (id) => ({ teams: [id] }), "POST"),
    ...put("changesets", (name) => ({ zones: [{ action: "delete", zone: name }] })),
    ...put("changesets", (name) => ({ zones: [{ action: "change", zone: name, ttl: 5 }] })),
    ...put("changesets", (name) => ({ records: [{ action: "delete", zone: name, domain: `www.${name}`, type: "A" }] })),
    ...put(`zones/${zone}/records`, (domain) => ({ remove: [{ domain, type: "A" }] }), "POST"),
    // only dry runs and drafts leave no link for the next cases
    ...recordWrites(zone)
      .slice(-2)
      .flatMap((write) =>
        allOf(theirs).map((value): Case => {
          const { method, path } = write({});
          return { method, path, body: ([link = ""]) => write({ link }).body, values: [value], statuses: mayBeMissing };
        }),
      ),
  ];
}

/** Cases for the fields of an endpoint's body whose names look like those of references. */
export function fieldCases(route: Route, own: AccountObjects, theirs: AccountObjects): Case[] {
  const path = pathOf(
    route,
    kindsOf(route).map((kind) => (kind === "type" ? "A" : own.ids[kind][0]!)),
  );
  // links may name anything, and would stay for the next cases
  const fields = referringFields(route.body).filter(({ body }) => !JSON.stringify(body("")).includes('"link"'));
  return fields.flatMap(({ body }) =>
    kinds.map(
      (kind): Case => ({
        method: route.method,
        path: () => path,
        body: ([id = ""]) => body(id),
        values: [theirs.ids[kind][0]!],
        statuses: [200, ...refused],
      }),
    ),
  );
}

/** Requests that look for objects by name or id. */
export function queryCases(own: AccountObjects, theirs: AccountObjects): Case[] {
  const [zone = ""] = own.ids.zone;
  const get = (path: (value: string) => string, statuses: readonly number[]) =>
    allOf(theirs).map(
      (value): Case => ({
        method: "GET",
        path: ([id = ""]) => path(encodeURIComponent(id)),
        values: [value],
        statuses,
      }),
    );
  return [
    ...get((id) => `account/activity?resource_id=${id}`, [200]),
    ...get((id) => `account/activity?user=${id}`, [200]),
    ...get((id) => `search?q=${id}&type=all`, [200]),
    ...get((id) => `search?q=${id}&type=answers&expand=true`, [200]),
    ...get((id) => `search/zone/${zone}?q=${id}`, [200]),
    ...get((id) => `stats/usage?networks=${id}`, [200, 400, 404]),
    ...allOf(theirs).map(
      (value): Case => ({
        method: "POST",
        path: () => "explain",
        body: ([name = ""]) => ({ name, type: "A" }),
        values: [value],
        statuses: [200, 400, 404],
      }),
    ),
    ...allOf(theirs).map(
      (value): Case => ({
        method: "POST",
        path: () => "explain",
        body: ([feed = ""]) => ({ name: `www.${zone}`, feeds: { [feed]: { up: false } } }),
        values: [value],
        statuses: refused,
      }),
    ),
  ];
}

export const takesBody = (route: Route) =>
  route.body !== undefined && route.upload === undefined && !creating.has(nameOf(route));

/** Left out: they create objects that the request names, or keep a body that may name anything. */
const creating = new Set([
  "PUT /v1/zones/:zone",
  "PUT /v1/import/transfer/:zone",
  "PUT /v1/demo",
  "PUT /v1/account/users/:username",
  "PUT /v1/drafts",
  "POST /v1/drafts/:id",
  "PUT /v1/views",
  "POST /v1/views/:id",
]);
