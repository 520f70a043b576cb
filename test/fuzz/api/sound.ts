/**
 * Requests that should be accepted, or refused because objects exist or are missing; requests with a fault start from
 * these.
 */
import type { Draw } from "../../interop/differential/draw.ts";
import type { Operation, Schema } from "./operations.ts";

export type Params = Readonly<Record<string, string>>;

/** A request before it is written as octets. */
export interface Sketch {
  readonly operation: Operation;
  readonly params: Params;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined without a body. */
  readonly body: unknown;
}

const mostKnown = 30;

/** The objects that the run has made, so that paths lead somewhere; never the initial ones, such as keys. */
export class Known {
  readonly #params = new Map<string, Params[]>();

  /** Learns from a reply to a request that was done. */
  learn({ method, path, child, prefixes }: Operation, params: Params, reply: unknown): void {
    const own = prefixes.at(-1);
    if (method === "PUT" && own !== undefined) this.#add(own, params);
    const id = child === undefined || method === "GET" ? undefined : idIn(reply, child);
    if (child === undefined || id === undefined) return;
    this.#add(`${path}/{${child}}`, { ...params, [child]: id });
    if (child === "sourceid" || child === "feedid") this.#add("/v1/feed/{id}", { id });
  }

  learnChange(id: string): void {
    this.#add("/v1/changes/{id}", { id });
  }

  of(prefix: string): readonly Params[] {
    return this.#params.get(prefix) ?? [];
  }

  #add(prefix: string, params: Params): void {
    this.#params.set(prefix, [...this.of(prefix), params].slice(-mostKnown));
  }
}

/**
 * The id of the created object: that of the last element of a list such as `secrets`, or the field named `child`, or
 * `id`.
 */
function idIn(reply: unknown, child: string): string | undefined {
  const body = Object(reply);
  const list: unknown = body[child.replace(/id$/, "s")];
  const id = Array.isArray(list) ? Object(list.at(-1)).id : (body[child] ?? body.id);
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

const zones = Array.from({ length: 8 }, (_, index) => `fuzz${index}.test`);
const labels = ["", "a.", "b.", "www.", "*.", "x.y."];
const types = ["A", "AAAA", "TXT", "MX", "CNAME", "NS", "SRV", "CAA", "ALIAS", "SVCB"];

export class SoundMaker {
  readonly #draw: Draw;
  readonly #known: Known;

  constructor(draw: Draw, known: Known) {
    this.#draw = draw;
    this.#known = known;
  }

  make(operation: Operation): Sketch {
    const draw = this.#draw;
    const params = this.#params(operation);
    const query = operation.query
      .filter(() => draw.chance(0.25))
      .map(({ name, schema }) => [name, String(this.#value(name, schema, params, 2))] as const);
    return { operation, params, query, headers: this.#headers(), body: this.#body(operation, params) };
  }

  #params({ params, prefixes }: Operation): Params {
    const draw = this.#draw;
    const zone = draw.pick(zones);
    const drawn = Object.fromEntries(
      params.map((name) => [
        name,
        { zone, zone_id: zone, domain: draw.pick(labels) + zone, type: draw.pick(types) }[name] ?? drawName(draw),
      ]),
    );
    const last = prefixes.findLast((prefix) => this.#known.of(prefix).length > 0);
    return last !== undefined && draw.chance(0.8) ? { ...drawn, ...draw.pick(this.#known.of(last)) } : drawn;
  }

  #headers(): [string, string][] {
    const draw = this.#draw;
    if (draw.chance(0.05)) return [["Idempotency-Key", `k${draw.number(0, 50)}`]];
    return draw.chance(0.05) ? [[draw.pick(["If-Match", "If-None-Match"]), draw.pick(["*", '"none"'])]] : [];
  }

  #body(operation: Operation, params: Params): unknown {
    const { body, takesFile } = operation;
    if (!body) return undefined;
    if (takesFile) return `@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A ${this.#draw.address()}\n`;
    const example = body.examples?.length ? this.#draw.pick(body.examples) : undefined;
    if (example !== undefined && this.#draw.chance(0.3)) return structuredClone(example);
    return this.#value("", body, params, 5);
  }

  #value(name: string, schema: Schema, params: Params, depth: number): unknown {
    const draw = this.#draw;
    const hint = hints[name];
    if (hint && draw.chance(0.9)) return hint(draw, params);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return draw.pick(schema.enum);
    if (schema.anyOf) return this.#value("", draw.pick(schema.anyOf), params, depth);
    const alternatives = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["object"]);
    const type = draw.chance(0.9) ? alternatives[0]! : draw.pick(alternatives);
    switch (type) {
      case "object":
        return this.#object(schema, params, depth);
      case "array":
        if (depth === 0) return [];
        return Array.from({ length: draw.number(0, 2) }, () =>
          this.#value(name.replace(/s$/, ""), schema.items ?? {}, params, depth - 1),
        );
      case "integer":
      case "number":
        return draw.number(schema.minimum ?? 0, Math.min(schema.maximum ?? 1000, 1_000_000));
      case "boolean":
        return draw.chance(0.5);
      case "null":
        return null;
      default:
        return draw.chance(0.7) ? drawName(draw) : draw.text();
    }
  }

  #object({ properties = {}, required = [] }: Schema, params: Params, depth: number): Record<string, unknown> {
    const draw = this.#draw;
    const names = Object.keys(properties).filter((name) => required.includes(name) || (depth > 0 && draw.chance(0.3)));
    return Object.fromEntries(names.map((name) => [name, this.#value(name, properties[name]!, params, depth - 1)]));
  }
}

const drawName = (draw: Draw) => `name${draw.number(0, 20)}`;

/** Values for a field of this name, if its schema does not restrict it. */
const hints: Readonly<Record<string, (draw: Draw, params: Params) => unknown>> = {
  zone: (draw, { zone }) => zone ?? draw.pick(zones),
  domain: (draw, { domain, zone }) => domain ?? draw.pick(labels) + (zone ?? draw.pick(zones)),
  type: (draw, { type }) => type ?? draw.pick(types),
  link: (draw) => draw.pick([null, draw.pick(zones)]),
  answers: (draw, { type = "A" }) =>
    Array.from({ length: draw.number(0, 3) }, () => ({ answer: drawAnswer(draw, type), meta: drawMeta(draw) })),
  answer: (draw, { type = "A" }) => drawAnswer(draw, type),
  meta: (draw) => drawMeta(draw),
  filters: (draw) =>
    draw
      .some(["up", "shuffle", "select_first_n", "geotarget_country", "weighted_shuffle", "netfence_asn"], 3)
      .map((filter) => ({ filter, config: filter === "select_first_n" ? { N: draw.number(1, 3) } : {} })),
  regions: (draw) => ({ east: { meta: drawMeta(draw) } }),
  ip_whitelist: () => ["127.0.0.0/8"],
  values: (draw) => draw.pick([[], ["127.0.0.0/8", "192.0.2.1"]]),
  permissions: (draw) => draw.pick([{}, { dns: { view_zones: true } }, { account: { manage_users: false } }]),
  teams: () => [],
  networks: () => [0],
  sourcetype: () => "nsone_v1",
  secondary: () => null,
  primary: (draw) => ({ enabled: draw.chance(0.5), secondaries: [{ ip: draw.address(), notify: draw.chance(0.5) }] }),
  expiry_duration: (draw) => draw.pick([null, "3d", "30d"]),
  overlap: (draw) => draw.pick(["0d", "1d"]),
  algorithm: (draw) => draw.pick(["hmac-sha256", "hmac-sha512"]),
  secret: () => "c2VjcmV0IG9mIHRoaXJ0eS10d28gb2N0ZXRzIQ==",
  hostmaster: () => "hostmaster@example.com",
  email: (draw) => `${drawName(draw)}@example.com`,
  // requiring a second factor would lock the run's session out
  required: () => false,
  // many draws of explain would keep the machine busy with one request
  draws: (draw) => draw.number(1, 200),
};

function drawAnswer(draw: Draw, type: string): unknown[] {
  switch (type) {
    case "A":
      return [draw.address()];
    case "AAAA":
      return [draw.address6()];
    case "MX":
      return [draw.number(0, 100), "mail.example.com"];
    case "SRV":
      return [1, 2, 443, "srv.example.com"];
    case "CAA":
      return [0, "issue", "ca.example"];
    case "SVCB":
      return [1, ".", "alpn=h2"];
    case "TXT":
      return [draw.text()];
    default:
      return ["target.example.com"];
  }
}

const drawMeta = (draw: Draw) =>
  draw.pick([
    {},
    { up: true },
    { weight: draw.number(0, 9) },
    { country: ["DE", "US"] },
    { asn: [64_496] },
    { note: "n" },
  ]);
