/** The thing that an entry is about, with a link to its page. */
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { isObject } from "../../api/client.ts";
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
  /** What stands behind the name. */
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

const pages: Readonly<Record<string, readonly [to: RouteName, page?: string]>> = {
  account: ["accountPage", "contact"],
  apikey: ["accountPage", "keys"],
  team: ["accountPage", "teams"],
  user: ["accountPage", "people"],
  whitelist: ["accountPage", "allowlists"],
  tsig_key: ["accountPage", "tsig"],
  datafeed: ["feeds"],
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
  const [to, page] = pages[resource_type] ?? [];
  const name = text("name") || text("username") || text("company") || resource_id;
  return { name, ...(to && { to }), ...(page !== undefined && { params: { page } }) };
}

function ofZones(zones: unknown): Place {
  const names = Array.isArray(zones) ? zones.flatMap((one) => (isObject(one) ? [String(one["zone"])] : [])) : [];
  const [first] = names;
  if (first === undefined) return { name: "" };
  const place: Place = { name: first, to: "zone", params: { zone: first } };
  return names.length === 1 ? place : { ...place, note: texts.more(names.length - 1) };
}
