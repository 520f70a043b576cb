/** The columns of the list of zones. */
import { Badge, Group } from "@mantine/core";
import type { Reply } from "../../api/client.ts";
import { Name } from "../../kit/name.tsx";
import { visibleOf } from "../../kit/plain.ts";
import { type StateName, State as StateOf } from "../../kit/state.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { zonesTexts as texts } from "../../text/zones.ts";

export type ListedZone = Reply<"GET /v1/zones">["data"][number];

export const kindOf = ({ secondary, link }: Pick<ListedZone, "secondary" | "link">): keyof typeof texts.kinds =>
  link !== null ? "linked" : secondary?.["enabled"] === true ? "secondary" : "primary";

const delegationLooks: { readonly [state in keyof typeof texts.delegations]: StateName } = {
  delegated: "ok",
  partly: "stale",
  elsewhere: "refused",
  not_delegated: "off",
  unknown: "unknown",
};

/** Whether the zone comes from another server and was not transferred yet: it has neither records nor a serial. */
const isEmpty = ({ secondary }: Pick<ListedZone, "secondary">) =>
  secondary?.["enabled"] === true && secondary["expired"] === true && secondary["last_xfr"] === 0;

/** A zone without valid data gets SERVFAIL; one whose transfers fail is answered as it was. */
export function stateOf(zone: Pick<ListedZone, "disabled" | "secondary">): State {
  if (zone.disabled) return { is: "off", text: texts.off };
  if (isEmpty(zone)) return { is: "down", text: texts.neverTransferred };
  const { enabled, expired, status } = zone.secondary ?? {};
  if (enabled === true && expired === true) return { is: "down", text: texts.expired };
  return enabled === true && status === "error"
    ? { is: "stale", text: texts.transfersFail }
    : { is: "ok", text: texts.answered };
}

interface State {
  readonly is: StateName;
  readonly text: string;
}

/** The serial of the answers; undefined for a zone that was never transferred. */
export const serialOf = (zone: Pick<ListedZone, "serial" | "secondary">): number | undefined =>
  isEmpty(zone) ? undefined : zone.serial;

export const columns: readonly Column<ListedZone>[] = [
  { accessor: "name", title: texts.name, sortable: true, render: ({ zone }) => <Name name={zone} fw={600} /> },
  { accessor: "kind", title: texts.kind, render: (zone) => texts.kinds[kindOf(zone)] },
  {
    accessor: "state",
    title: texts.state,
    render: (zone) => <StateOf {...stateOf(zone)} />,
  },
  {
    accessor: "delegation",
    title: texts.delegation,
    render: ({ delegation }) =>
      delegation && <StateOf is={delegationLooks[delegation.state]} text={texts.delegations[delegation.state]} />,
  },
  {
    accessor: "tags",
    title: texts.tags,
    render: ({ tags }) =>
      Object.keys(tags).length > 0 && (
        <Group gap={4}>
          {Object.entries(tags).map(([name, value]) => (
            <Badge key={name} variant="default" tt="none" radius="sm">
              {visibleOf(value === "" ? name : `${name}:${String(value)}`)}
            </Badge>
          ))}
        </Group>
      ),
  },
  {
    accessor: "serial",
    title: texts.serial,
    sortable: true,
    textAlign: "right",
    render: (zone) => serialOf(zone) ?? texts.noSerial,
  },
  {
    accessor: "updated",
    title: texts.updated,
    sortable: true,
    render: ({ updated_at }) => <Time at={updated_at} />,
  },
];
