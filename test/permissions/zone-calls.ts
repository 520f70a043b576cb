/** Calls that read or change zones and records. */
import type { Call } from "./cases.ts";
import {
  type Access,
  holding,
  holds,
  isPlain,
  opensRecord,
  opensWhole,
  opensZone,
  type Permissions,
  type RecordName,
} from "./rules.ts";
import { allowedIf, byRight, type Make, type Scene, type Step, someGrant, together, type Verdict } from "./step.ts";
import { answersOf, delegations, linkedLabel, types, type World } from "./world.ts";

const view = "dns.view_zones";
const manage = "dns.manage_zones";

const seesZone = (access: Access, zone: string) => someGrant(access, view, (one) => opensZone(one, zone));
const seesRecord = (access: Access, place: RecordName) => someGrant(access, view, (one) => opensRecord(one, place));
const writes = (access: Access, place: RecordName) =>
  allowedIf(someGrant(access, manage, (one) => opensRecord(one, place)));

/** Settings affect all records, and a deletion removes them: no existing record may be closed to the caller. */
function mayChange({ access, world }: Scene, zone: string): Verdict {
  const places = [...(world.records.get(zone) ?? [])].map((text) => {
    const [domain = "", type = ""] = text.split(" ");
    return { zone, domain, type };
  });
  const opensAll = (one: Permissions) => opensWhole(one, zone) && places.every((place) => opensRecord(one, place));
  return allowedIf(someGrant(access, manage, opensAll));
}

/** The verdict on a zone with unknown records: open if rules about records may forbid the call. */
function mayMake(access: Access, zone: string): Verdict {
  if (!someGrant(access, manage, (one) => opensWhole(one, zone))) return "refused";
  return someGrant(access, manage, (one) => isPlain(one, zone)) ? "allowed" : "open";
}

/** The records of another server are unknown, so no rule about records may apply to the zone. */
const mayTakeOver = (access: Access, zone: string) => allowedIf(someGrant(access, manage, (one) => isPlain(one, zone)));

/**
 * The target must be open to the caller. If no rule about records applies to the target's zone, a caller that may read
 * and write there may link to it.
 */
function mayLinkTo(access: Access, zone: string, place?: RecordName): Verdict {
  const opens = (one: Permissions) => (place ? opensRecord(one, place) : opensZone(one, zone));
  if (!holding(access, manage).some(opens) && !holding(access, view).some(opens)) return "refused";
  const plain = holding(holding(access, manage), view).some((one) => isPlain(one, zone));
  return plain ? "allowed" : "open";
}

const pathOf = ({ zone, domain, type }: RecordName) => `zones/${zone}/${encodeURIComponent(domain)}/${type}`;

function note({ records }: World, { zone, domain, type }: RecordName): string[] {
  records.get(zone)?.add(`${domain} ${type}`);
  return [];
}

function forget({ records }: World, { zone, domain, type }: RecordName): string[] {
  records.get(zone)?.delete(`${domain} ${type}`);
  return [];
}

/** A name and type in an existing zone, with or without a record. */
function someRecordName(world: World, { picks }: Call, of: readonly string[] = types): RecordName | undefined {
  const zone = world.ownZone(picks[0]!);
  return zone === undefined
    ? undefined
    : { zone, domain: world.domain(zone, picks[1]!), type: of[picks[2]! % of.length]! };
}

const reading =
  (path: (zone: string) => string): Make =>
  ({ access, world }, { picks }) => {
    const zone = world.zone(picks[0]!);
    return zone === undefined
      ? undefined
      : { method: "GET", path: path(zone), verdict: allowedIf(seesZone(access, zone)) };
  };

const readingRecord =
  (step: (place: RecordName) => Omit<Step, "verdict">): Make =>
  ({ access, world }, { picks }) => {
    const place = world.place(picks[0]!);
    return place && { ...step(place), verdict: allowedIf(seesRecord(access, place)) };
  };

/** Changes the settings of an existing zone; `needs` is the verdict on what the body requires in addition. */
const changing =
  (body: (call: Call) => object, needs: (access: Access) => Verdict): Make =>
  (scene, call) => {
    const zone = scene.world.ownZone(call.picks[0]!);
    if (!zone) return undefined;
    const verdict = together(mayChange(scene, zone), needs(scene.access));
    return { method: "POST", path: `zones/${zone}`, body: body(call), verdict, zones: [zone] };
  };

/** Creates the missing zone. */
const making =
  (step: (scene: Scene, zone: string, call: Call) => Omit<Step, "zones"> | undefined): Make =>
  (scene, call) => {
    const { fresh, records } = scene.world;
    const made = records.has(fresh) ? undefined : step(scene, fresh, call);
    return made && { ...made, zones: [fresh] };
  };

const made =
  (world: World, zone: string, records: readonly string[] = [`${zone} NS`]) =>
  () => {
    world.records.set(zone, new Set(records));
    return [];
  };

/** A reply shows exactly the open records. */
function differs(shown: readonly string[], open: readonly string[], what: string): string[] {
  const hidden = open.filter((one) => !shown.includes(one));
  const extra = shown.filter((one) => !open.includes(one));
  return [...hidden.map((one) => `${what} does not show ${one}`), ...extra.map((one) => `${what} shows ${one}`)];
}

/** The records of a zone that may be seen. A linked zone has those of its target that may be seen under both names. */
const openRecords = (access: Access, world: World, zone: string, source = zone) =>
  [...(world.records.get(source) ?? [])].flatMap((text) => {
    const [stored = "", type = ""] = text.split(" ");
    const domain = stored.slice(0, stored.length - source.length) + zone;
    const isOpen =
      seesRecord(access, { zone: source, domain: stored, type }) && seesRecord(access, { zone, domain, type });
    return isOpen ? `${domain} ${type}` : [];
  });

const getZone: Make = ({ access, world }, { picks }) => {
  const zone = world.zone(picks[0]!);
  if (zone === undefined) return undefined;
  const done = ({ link, records }: { link: string | null; records: readonly RecordName[] }) => {
    const shown = records.map(({ domain, type }) => `${domain} ${type}`);
    return differs(shown, openRecords(access, world, zone, link ?? zone), `zone ${zone}`);
  };
  return { method: "GET", path: `zones/${zone}`, verdict: allowedIf(seesZone(access, zone)), done };
};

const listZones: Make = ({ access, world }) => ({
  method: "GET",
  path: "zones",
  verdict: byRight(access, view),
  done: (body: readonly { zone: string }[]) =>
    differs(
      body.map(({ zone }) => zone),
      [...world.records.keys()].filter((zone) => seesZone(access, zone)),
      "the list of zones",
    ),
});

const search: Make = ({ access, world }) => ({
  method: "GET",
  path: `search?q=${world.label}&type=all&max=1000`,
  verdict: byRight(access, view),
  done: (body: readonly Partial<RecordName>[]) =>
    differs(
      body.map(({ zone, domain, type }) => (domain === undefined ? `${zone}` : `${domain} ${type} in ${zone}`)),
      [...world.records.keys()]
        .filter((zone) => seesZone(access, zone))
        .flatMap((zone) => [zone, ...openRecords(access, world, zone).map((text) => `${text} in ${zone}`)]),
      "search",
    ),
});

interface Entry {
  readonly resource_type: string;
  readonly resource: { readonly zone?: string; readonly domain?: string; readonly type?: string } | null;
}

/**
 * A closed zone or record stays hidden: an entry is shown if one permissions object has the right to the log and opens
 * the entry's zone or record.
 */
const activity: Make = ({ access, world }) => ({
  method: "GET",
  path: "account/activity?limit=20",
  verdict: byRight(access, "account.view_activity_log"),
  done: (body: readonly Entry[]) =>
    body.flatMap(({ resource_type, resource }) => {
      const { zone, domain, type } = resource ?? {};
      if (!zone?.includes(world.label)) return [];
      const isRecord = resource_type === "record" && domain !== undefined && type !== undefined;
      const opens = (one: Permissions) => (isRecord ? opensRecord(one, { zone, domain, type }) : opensZone(one, zone));
      const isOpen = someGrant(access, "account.view_activity_log", opens);
      return isOpen ? [] : [`the activity log shows ${resource_type} ${domain ?? ""} ${type ?? ""} of ${zone}`];
    }),
});

const deleteZone: Make = (scene, { picks }) => {
  const { world } = scene;
  const zone = world.zone(picks[0]!);
  if (!zone) return undefined;
  const records = [...(world.records.get(zone) ?? [])];
  return {
    method: "DELETE",
    path: `zones/${zone}`,
    verdict: mayChange(scene, zone),
    zones: [zone],
    done: () => {
      world.records.delete(zone);
      world.deleted.set(zone, records);
      return [];
    },
  };
};

const bringBack: Make = ({ access, world }, { picks }) => {
  const gone = [...world.deleted].filter(([zone]) => !world.records.has(zone));
  const [zone, records] = gone[picks[0]! % gone.length] ?? [];
  if (!zone) return undefined;
  const targets = (records ?? []).flatMap((text) => world.targets.get(text) ?? []);
  const verdict = together(mayMake(access, zone), ...targets.map((target) => mayLinkTo(access, target.zone, target)));
  const path = `deletedzones/${zone}/undelete`;
  return { method: "POST", path, verdict, zones: [zone], done: made(world, zone, records) };
};

const restore: Make = async ({ access, world }, { picks }) => {
  const zone = world.ownZone(picks[0]!);
  if (!zone) return undefined;
  const versions = await world.must<{ id: number }[]>("GET", `zones/${zone}/versions`);
  // a version that was made just now has no number yet
  if (versions.length === 0) return undefined;
  const oldest = Math.min(...versions.map(({ id }) => id));
  return {
    method: "POST",
    path: `zones/${zone}/versions/${oldest}/activate`,
    // a tag that was added to the zone later is removed with it
    verdict: together(mayMake(access, zone), mayTag(access) === "allowed" ? "allowed" : "open"),
    zones: [zone],
    done: async () => {
      world.records.set(zone, await world.read(zone));
      return [];
    },
  };
};

const writeRecord =
  (of: readonly string[]): Make =>
  ({ access, world }, call) => {
    const place = someRecordName(world, call, of);
    if (!place) return undefined;
    const isThere = world.has(place);
    return {
      method: isThere ? "POST" : "PUT",
      path: pathOf(place),
      body: isThere ? { ttl: 60 + call.picks[3]! } : { answers: answersOf(place.type) },
      verdict: writes(access, place),
      zones: [place.zone],
      done: () => note(world, place),
    };
  };

const deleteRecord: Make = ({ access, world }, { picks }) => {
  const place = world.place(picks[0]!);
  return (
    place && {
      method: "DELETE",
      path: pathOf(place),
      verdict: writes(access, place),
      zones: [place.zone],
      done: () => forget(world, place),
    }
  );
};

const linkRecord: Make = ({ access, world }, { picks }) => {
  const target = world.place(picks[0]!);
  const zone = world.ownZone(picks[1]!);
  if (!target || !zone) return undefined;
  const place = { zone, domain: `${linkedLabel}${zone}`, type: target.type };
  if (world.has(place)) return undefined;
  const verdict = together(writes(access, place), mayLinkTo(access, target.zone, target));
  const done = () => {
    world.targets.set(`${place.domain} ${place.type}`, target);
    return note(world, place);
  };
  return { method: "PUT", path: pathOf(place), body: { link: target.domain }, verdict, zones: [zone], done };
};

const changeSet: Make = ({ access, world }, { picks }) => {
  const places = [0, 1].flatMap((i) => {
    const zone = world.ownZone(picks[i]!);
    return zone ? { zone, domain: world.domain(zone, picks[i + 2]!), type: types[i]! } : [];
  });
  const records = places.map((place) => ({ action: "put", ...place, answers: answersOf(place.type) }));
  return {
    method: "PUT",
    path: "changesets",
    body: { records },
    verdict: together(...places.map((place) => writes(access, place))),
    zones: places.map(({ zone }) => zone),
    done: () => {
      for (const place of places) note(world, place);
      return [];
    },
  };
};

/** Explains a record with a draft of another one: as for a read of the one and a write of the other. */
const simulate: Make = ({ access, world }, call) => {
  const asked = world.place(call.picks[3]!);
  const place = someRecordName(world, call);
  if (!asked || !place) return undefined;
  const records = [{ action: "put", ...place, answers: answersOf(place.type) }];
  return {
    method: "POST",
    path: "explain",
    body: { name: asked.domain, type: asked.type, records },
    verdict: together(allowedIf(seesRecord(access, asked)), writes(access, place)),
  };
};

/**
 * Tags with the prefix `auth:` need two more rights; the verdict is open if several permissions objects together have
 * them.
 */
function mayTag(access: Access): Verdict {
  const needed = ["account.manage_auth_tags", "account.manage_auth_keys"];
  if (needed.some((right) => !holds(access, right))) return "refused";
  return access.length === 1 ? "allowed" : "open";
}

const others: readonly (readonly [path: string, ...rights: string[]])[] = [
  ["account/settings", "account.manage_account_settings"],
  ["account/usagewarnings", "account.manage_account_settings"],
  ["account/whitelist", "account.manage_ip_whitelist"],
  ["account/users", "account.manage_users"],
  ["data/sources", "data.manage_datasources", "data.manage_datafeeds"],
  ["operator/accounts?limit=2", "operator.view"],
  ["operator/edges", "operator.view"],
];

export const zoneCalls = {
  "list zones": listZones,
  "get zone": getZone,
  "change zone": changing(
    ({ picks }) => ({ ttl: 600 + picks[1]! }),
    () => "allowed",
  ),
  "tag zone": changing(
    ({ picks }) => ({ tags: { [["auth:x", " Auth:x", "\uff41uth:x"][picks[1]! % 3]!]: `${picks[2]}` } }),
    mayTag,
  ),
  "delete zone": deleteZone,
  "create zone": making(({ access, world }, zone) => ({
    method: "PUT",
    path: `zones/${zone}`,
    body: {},
    verdict: mayMake(access, zone),
    done: made(world, zone),
  })),
  "import zone": making(({ access, world }, zone) => ({
    method: "PUT",
    path: `import/zonefile/${zone}`,
    body: "@ 60 SOA ns host 1 2 3 4 5\nwww 60 A 192.0.2.1\n",
    verdict: mayMake(access, zone),
    done: made(world, zone, [`${zone} NS`, `www.${zone} A`]),
  })),
  "link zone": making(({ access, world }, zone, { picks }) => {
    const link = world.zone(picks[0]!);
    if (!link) return undefined;
    const verdict = together(mayTakeOver(access, zone), mayLinkTo(access, link));
    return { method: "PUT", path: `zones/${zone}`, body: { link }, verdict, done: made(world, zone, []) };
  }),
  "bring zone back": bringBack,
  "restore version": restore,
  "get record": readingRecord((place) => ({ method: "GET", path: pathOf(place) })),
  "write record": writeRecord(types),
  "delete record": deleteRecord,
  delegate: writeRecord(delegations),
  "link record": linkRecord,
  "change set": changeSet,
  search,
  explain: readingRecord(({ domain, type }) => ({ method: "POST", path: "explain", body: { name: domain, type } })),
  simulate,
  activity,
  statistics: readingRecord(({ zone, domain, type }) => ({
    method: "GET",
    path: `stats/usage/${zone}/${encodeURIComponent(domain)}/${type}`,
  })),
  "look at zone": (scene, call) => {
    const paths = ["zones/Z/versions", "export/zonefile/Z", "zones/Z/lint", "stats/usage/Z", "zones/Z/diff"];
    return reading((zone) => paths[call.picks[1]! % paths.length]!.replace("Z", zone))(scene, call);
  },
  "other endpoint": ({ access }, { picks }) => {
    const [path = "", ...rights] = others[picks[0]! % others.length]!;
    return { method: "GET", path, verdict: byRight(access, ...rights) };
  },
} satisfies Record<string, Make>;
