/** The drawn cases: permissions, their first holders, and calls. They are data only, so that a case can be repeated. */
import { Random } from "./random.ts";
import { allRights, denying, type Permissions, type RecordRule } from "./rules.ts";
import { delegations, types, type World } from "./world.ts";

export const kinds = [
  "create key",
  "create key",
  "change key",
  "change key",
  "delete key",
  "list keys",
  "create user",
  "change user",
  "delete user",
  "create team",
  "change team",
  "change team",
  "delete team",
  "list teams",
  "list zones",
  "get zone",
  "change zone",
  "tag zone",
  "delete zone",
  "create zone",
  "import zone",
  "link zone",
  "bring zone back",
  "restore version",
  "get record",
  "write record",
  "write record",
  "write record",
  "delete record",
  "delegate",
  "link record",
  "change set",
  "search",
  "explain",
  "simulate",
  "activity",
  "statistics",
  "look at zone",
  "other endpoint",
] as const;
export type Kind = (typeof kinds)[number];

export interface Call {
  readonly kind: Kind;
  /**
   * Random numbers that choose, among the objects that exist when the call is made, its caller and what it is about.
   */
  readonly actor: number;
  readonly picks: readonly number[];
  readonly permissions: Permissions;
}

interface Drawn {
  readonly permissions: Permissions;
  readonly teams: readonly number[];
}

export interface Case {
  readonly seed: number;
  readonly teams: readonly Permissions[];
  /**
   * Keys with their own permissions, or in some teams; some keys are restricted to addresses from which no call comes.
   */
  readonly keys: readonly (Drawn & { readonly isElsewhere: boolean })[];
  /** A signed-in user. */
  readonly user: Drawn | undefined;
  readonly calls: readonly Call[];
}

const callsOf = 6;
const picksOf = 6;
/** Rights that the calls need: they are denied more often than other rights. */
const used = [
  ...["dns.manage_zones", "dns.view_zones", "account.manage_apikeys", "account.manage_teams", "account.manage_users"],
  ...["account.view_activity_log", "account.manage_auth_tags", "account.manage_auth_keys", "data.manage_datasources"],
  ...["account.manage_account_settings", "account.manage_ip_whitelist", "operator.view"],
];

export function drawCase(seed: number, world: World): Case {
  const random = new Random(seed);
  const teams = Array.from({ length: random.below(4) }, () => drawPermissions(random, world));
  const drawHolder = (): Drawn => ({
    permissions: drawPermissions(random, world),
    teams: random.chance(0.5) ? teams.flatMap((_, i) => (random.chance(0.6) ? i : [])) : [],
  });
  const keys = Array.from({ length: 1 + random.below(2) }, () => ({
    ...drawHolder(),
    isElsewhere: random.chance(0.05),
  }));
  const user = random.chance(0.5) ? drawHolder() : undefined;
  const calls = Array.from({ length: callsOf }, () => ({
    kind: random.of(kinds),
    actor: random.below(1000),
    picks: Array.from({ length: picksOf }, () => random.below(1000)),
    permissions: drawPermissions(random, world),
  }));
  return { seed, teams, keys, user, calls };
}

/** Permissions from nearly everything to nearly nothing. */
function drawPermissions(random: Random, world: World): Permissions {
  const denied = random.of([0, 0.1, 0.4]);
  const permissions: Record<string, Record<string, unknown>> = {};
  const say = (right: string, value: boolean) => {
    const [group = "", name = ""] = right.split(".");
    permissions[group] = { ...permissions[group], [name]: value };
  };
  const isDenying = random.chance(0.1);
  for (const right of allRights) {
    if (isDenying && used.includes(right) && random.chance(0.6)) say(right, true);
    else if (random.chance(used.includes(right) ? denied : denied / 20)) say(right, false);
    else if (random.chance(0.1)) say(right, true);
  }
  const dns: Record<string, unknown> = { ...permissions["dns"] };
  const byDefault = random.of([undefined, undefined, true, false]);
  if (byDefault !== undefined) dns["zones_allow_by_default"] = byDefault;
  if (random.chance(byDefault === false ? 0.9 : 0.1)) dns["zones_allow"] = drawZones(random, world);
  if (random.chance(0.2)) dns["zones_deny"] = drawZones(random, world);
  if (random.chance(0.15)) dns["records_allow"] = drawRules(random, world);
  if (random.chance(0.3)) dns["records_deny"] = drawRules(random, world);
  const drawn = Object.keys(dns).length > 0 ? { ...permissions, dns } : permissions;
  return isDenying ? { ...drawn, ...denying } : drawn;
}

const drawZones = (random: Random, { universe }: World) =>
  random.some(universe.zones, 0.5).map((zone) => spelled(random, zone));

const drawRules = (random: Random, world: World): RecordRule[] =>
  Array.from({ length: 1 + random.below(2) }, () => {
    const place = random.of(world.universe.places);
    return {
      ...(random.chance(0.8) ? { zone: spelled(random, place.zone) } : {}),
      ...(random.chance(0.8) ? { domain: spelled(random, place.domain) } : {}),
      ...(random.chance(0.5) ? { include_subdomains: random.chance(0.7) } : {}),
      ...(random.chance(0.5) ? { type: random.of([...types, ...delegations, "a", "txt"]) } : {}),
    };
  });

/** The same name in another spelling. */
const spelled = (random: Random, name: string) =>
  random.chance(0.15) ? name.toUpperCase() : random.chance(0.15) ? `${name}.` : name;
