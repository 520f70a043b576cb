/** The cases of paths: each endpoint with another account's objects in each of its parameters. */
import type { routes } from "../../../src/control/index.ts";
import type { Case } from "./compare.ts";
import { type AccountObjects, type Kind, kinds } from "./objects.ts";

type Route = (typeof routes)[number];

/** The kind of object that a path parameter names. Throws for an unknown parameter, so that new ones are added here. */
function kindOf({ method, path }: Pick<Route, "method" | "path">, parameter: string): Kind | "type" {
  const within = (beginning: string) => path.startsWith(`/v1/${beginning}`);
  switch (parameter) {
    case "zone":
      if (within("import/") && method === "GET") return "job";
      return within("deletedzones/") ? "deleted" : "zone";
    case "id":
      if (path.includes("/versions/")) return "version";
      if (within("feed/")) return "feed";
      if (within("account/whitelist/")) return "list";
      if (within("auth/sessions/")) return "session";
      if (within("changes/") || within("changesets/")) return "change";
      if (within("drafts/")) return "draft";
      if (within("views/")) return "view";
      break;
    case "name":
      if (within("tsig/")) return "tsig";
      break;
    default:
      if (Object.hasOwn(plain, parameter)) return plain[parameter]!;
  }
  throw new Error(`${method} ${path}: the kind of object that the parameter ${parameter} names is missing here`);
}

const plain: Readonly<Record<string, Kind | "type">> = {
  type: "type",
  domain: "domain",
  zone_id: "zone",
  sourceid: "source",
  feedid: "feed",
  keyid: "key",
  secretid: "keySecret",
  teamid: "team",
  username: "user",
};

/** Bodies with which the same request succeeds for the caller's own objects. */
const bodies: Readonly<Record<string, unknown>> = {
  "POST /v1/zones/:zone": { ttl: 77 },
  "PUT /v1/zones/:zone/:domain/:type": { answers: [{ answer: ["192.0.2.9"] }] },
  "POST /v1/zones/:zone/:domain/:type": { ttl: 77 },
  "POST /v1/zones/:zone/:domain/:type/answers": { add: [{ answer: ["192.0.2.9"] }] },
  "POST /v1/zones/:zone/records": ([zone]: readonly string[]) => ({ remove: [{ domain: `www.${zone}`, type: "A" }] }),
  "POST /v1/zones/:zone/:domain/:type/restore": { version: 1 },
  "POST /v1/data/sources/:sourceid": { name: "mine" },
  "PUT /v1/data/feeds/:sourceid": { name: "mine", config: { label: "mine" } },
  "POST /v1/data/feeds/:sourceid/:feedid": { name: "mine" },
  "POST /v1/feed/:id": { up: true },
  "POST /v1/account/apikeys/:keyid": { name: "mine" },
  "POST /v1/account/apikeys/:keyid/secrets/:secretid": { enabled: false },
  "POST /v1/account/teams/:teamid": { name: "mine" },
  "POST /v1/account/users/:username": { name: "mine" },
  "POST /v1/account/whitelist/:id": { name: "mine" },
  "POST /v1/tsig/:name": { secret: "bWluZQ==" },
  "POST /v1/drafts/:id": { name: "mine" },
  "POST /v1/views/:id": { name: "mine" },
};

/**
 * These endpoints create the object that the path names, or prepare that: a zone's name belongs to one account, and a free
 * name can be taken. They have separate tests.
 */
const making = new Set([
  "PUT /v1/zones/:zone",
  "GET /v1/zones/:zone/claim",
  "POST /v1/zones/:zone/claim",
  "PUT /v1/import/zonefile/:zone",
  "PUT /v1/import/transfer/:zone",
  "PUT /v1/tsig/:name",
  "PUT /v1/account/users/:username",
]);

export const nameOf = ({ method, path }: Pick<Route, "method" | "path">) => `${method} ${path}`;

/** The value of a parameter, and whether it is the victim's. */
interface PathValue {
  readonly text: string;
  readonly isTheirs: boolean;
}

const ofOwn = (text: string): PathValue => ({ text, isTheirs: false });
const ofTheirs = (text: string): PathValue => ({ text, isTheirs: true });

export function pathCases(route: Route, own: AccountObjects, theirs: AccountObjects): Case[] {
  if (making.has(nameOf(route))) return [];
  const named = kindsOf(route);
  return named.flatMap((kind, at) =>
    kind === "type"
      ? []
      : candidates(theirs, kind).flatMap(({ value, isFitting }) => {
          const alone = named.map((other, i) => (i === at ? ofTheirs(value) : besides(other, kind, value, own)));
          const all = named.map((other, i) => (i === at ? ofTheirs(value) : firstOf(other, theirs, ofTheirs)));
          const isOutside = named.includes("domain") && !(kind === "zone" && isFitting);
          const statuses = isFitting && !isOutside ? [404] : [404, 400];
          return [
            // a version is a number that the caller's own zone may have as well
            ...(kind === "version" ? [] : [caseOf(route, alone, statuses)]),
            ...(named.length > 1
              ? [caseOf(route, all, isOutside || named.includes("domain") ? [404, 400] : statuses)]
              : []),
          ];
        }),
  );
}

export const kindsOf = (route: Route): (Kind | "type")[] =>
  [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => kindOf(route, name));

/** The caller's own object, except a domain in the varied zone. */
const besides = (kind: Kind | "type", varied: Kind, value: string, own: AccountObjects): PathValue =>
  kind === "domain" && varied === "zone" ? ofTheirs(`www.${value}`) : firstOf(kind, own, ofOwn);

const firstOf = (kind: Kind | "type", objects: AccountObjects, ofText: (text: string) => PathValue): PathValue =>
  kind === "type" ? ofOwn("A") : ofText(objects.ids[kind][0]!);

function caseOf(route: Route, parameters: readonly PathValue[], statuses: readonly number[]): Case {
  const body = bodyOf(route);
  return {
    method: route.method,
    values: parameters.filter(({ isTheirs }) => isTheirs).map(({ text }) => text),
    path(values) {
      const left = [...values];
      return pathOf(
        route,
        parameters.map(({ text, isTheirs }) => (isTheirs ? left.shift()! : text)),
      );
    },
    ...(body === undefined ? {} : { body: typeof body === "function" ? (values) => body(values) : () => body }),
    statuses,
  };
}

const bodyOf = (route: Route): unknown => bodies[nameOf(route)] ?? (route.body === undefined ? undefined : {});

export function pathOf({ path }: Pick<Route, "path">, texts: readonly string[]): string {
  let n = 0;
  return path.slice("/v1/".length).replaceAll(/:\w+/g, () => encodeURIComponent(texts[n++]!));
}

/** All objects of the victim; those of the wanted kind in other valid spellings too. */
function candidates(theirs: AccountObjects, wanted: Kind): { value: string; isFitting: boolean }[] {
  return kinds.flatMap((kind) =>
    theirs.ids[kind].flatMap((value) => {
      if (kind !== wanted && !(wanted === "zone" && kind === "deleted")) return { value, isFitting: false };
      const others = [value.toUpperCase(), ...(value.includes(".") ? [`${value}.`] : [])];
      return [{ value, isFitting: true }, ...others.map((other) => ({ value: other, isFitting: false }))];
    }),
  );
}
