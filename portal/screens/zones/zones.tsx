/** The list of zones. */
import { Button, Group, TextInput } from "@mantine/core";
import { useMemo } from "react";
import type { ZoneOnly } from "../../api/types.ts";
import { PageLink, useOpen } from "../../app/link.tsx";
import { useAddress } from "../../kit/address.ts";
import { useReadAll } from "../../kit/api.ts";
import { Empty } from "../../kit/empty.tsx";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Name } from "../../kit/name.tsx";
import { Page } from "../../kit/page.tsx";
import { State } from "../../kit/state.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { zonesTexts as texts } from "../../text/zones.ts";

export const kindOf = ({ secondary, link }: ZoneOnly): keyof typeof texts.kinds =>
  link !== null ? "linked" : secondary?.["enabled"] === true ? "secondary" : "primary";

const columns: readonly Column<ZoneOnly>[] = [
  { accessor: "zone", title: texts.name, render: ({ zone }) => <Name name={zone} fw={600} /> },
  { accessor: "kind", title: texts.kind, render: (zone) => texts.kinds[kindOf(zone)] },
  { accessor: "serial", title: texts.serial, textAlign: "right", visibleMediaQuery: "(min-width: 48em)" },
  {
    accessor: "updated_at",
    title: texts.updated,
    render: ({ updated_at }) => <Time at={updated_at} />,
    visibleMediaQuery: "(min-width: 48em)",
  },
  { accessor: "disabled", title: texts.state, render: ({ disabled }) => <State is={disabled ? "off" : "ok"} /> },
];

export function Screen() {
  const open = useOpen();
  const [filter, setFilter] = useAddress("q");
  const zones = useReadAll("GET /v1/zones", { query: { limit: 100 } });
  const rows = useMemo(
    () => zones.rows.filter(({ zone }) => zone.includes(filter.trim().toLowerCase())),
    [zones.rows, filter],
  );
  const isEmpty = zones.total === 0 && filter === "";
  const add = <Button onClick={() => open({ to: "newZone" })}>{texts.new}</Button>;
  return (
    <Page
      title={texts.title}
      acts={
        <>
          <PageLink to="deletedZones" fz="sm">
            {texts.deleted}
          </PageLink>
          {!isEmpty && add}
        </>
      }
    >
      <ErrorNote error={zones.error} onRetry={zones.retry} />
      {isEmpty ? (
        <Empty title={texts.emptyTitle} text={texts.emptyText}>
          {add}
        </Empty>
      ) : (
        <>
          <Group mb="sm">
            <TextInput
              aria-label={texts.filter}
              placeholder={texts.filter}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            />
          </Group>
          <Table
            label={texts.label}
            rows={rows}
            columns={columns}
            idOf={({ id }) => id}
            isLoading={zones.isLoading}
            total={zones.total}
            onMore={zones.more}
            onOpen={({ zone }) => open({ to: "zone", params: { zone } })}
            empty={texts.none}
          />
        </>
      )}
    </Page>
  );
}
