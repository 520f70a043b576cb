/** The thing that an entry is about, with a link to its page. */
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { isObject } from "../../api/is-object.ts";
import type { ActivityEntry } from "../../api/types.ts";
import { PageLink } from "../../app/link.tsx";
import { Name } from "../../kit/name.tsx";
import { visibleOf } from "../../kit/plain.ts";
import type { RouteName } from "../../routes.ts";
import { activityTexts as texts } from "../../text/activity.ts";

interface Place {
  readonly name: string;
  /** The page of the thing; undefined when it has none. */
  readonly to?: RouteName;
  readonly params?: { readonly [name: string]: string };
  readonly search?: { readonly [name: string]: string };
  /** A text behind the name. */
  readonly note?: string;
}

type Fields = { readonly [name: string]: unknown };

export function Thing({ entry }: { readonly entry: ActivityEntry }): ReactNode {
  const { name, to, params = {}, search = {}, note } = placeOf(entry);
  // no link around the row's own click
  const stop = (event: { stopPropagation(): void }) => event.stopPropagation();
  return (
    <Text component="span" inherit onClick={stop}>
      {to ? (
        <PageLink to={to} params={params} search={search}>
          <Name name={name} />
        </PageLink>
      ) : (
        <Name name={name} />
      )}
      {note && (
        <Text component="span" inherit c="dimmed">
          {` ${note}`}
        </Text>
      )}
    </Text>
  );
}

/** Pages of the account, and the parameter that opens one thing there. */
const pages: Readonly<Record<string, readonly [page: string, parameter?: string]>> = {
  account: ["contact"],
  apikey: ["keys", "key"],
  team: ["teams", "team"],
  user: ["people", "user"],
  whitelist: ["allow-lists"],
  tsig_key: ["tsig"],
};

function placeOf({ resource_type, resource_id, action, resource }: ActivityEntry): Place {
  const fields: Fields = isObject(resource) ? resource : {};
  const text = (name: string) => (typeof fields[name] === "string" ? visibleOf(String(fields[name])) : undefined);
  const zone = text("zone");
  const [domain, type] = [text("domain"), text("type")];
  if (resource_type === "record" && zone && domain && type)
    return { name: domain, note: type, to: "record", params: { zone, name: domain, type } };
  if (zone) {
    const isGone = resource_type === "dns_zone" && (action === "delete" || action === "purge");
    const { records } = fields;
    const note = Array.isArray(records) ? { note: texts.records(records.length) } : {};
    return isGone ? { name: zone, to: "deletedZones" } : { name: zone, to: "zone", params: { zone }, ...note };
  }
  if (resource_type === "changeset") return ofZones(fields["zones"]);
  if (resource_type === "datasource")
    return { name: text("name") ?? resource_id, to: "source", params: { source: resource_id } };
  const name = text("name") || text("username") || text("company") || resource_id;
  if (resource_type === "datafeed") return { name, to: "feeds" };
  const [page, parameter] = pages[resource_type] ?? [];
  if (page === undefined) return { name };
  const id = resource_type === "user" ? text("username") : resource_id;
  const search = parameter === undefined || id === undefined || action === "delete" ? {} : { [parameter]: id };
  return { name, to: "accountPage", params: { page }, search };
}

function ofZones(zones: unknown): Place {
  const names = Array.isArray(zones) ? zones.flatMap((one) => (isObject(one) ? [String(one["zone"])] : [])) : [];
  const [first] = names;
  if (first === undefined) return { name: "" };
  const place: Place = { name: first, to: "zone", params: { zone: first } };
  return names.length === 1 ? place : { ...place, note: texts.more(names.length - 1) };
}
