/** The list of zones: searched, filtered and sorted by the service, page by page. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { PageLink, useOpen } from "../../app/link.tsx";
import { useReadAll } from "../../kit/api.ts";
import { Page } from "../../kit/page.tsx";
import { Table } from "../../kit/table.tsx";
import { zonesTexts as texts } from "../../text/zones.ts";
import { FirstZone } from "../dashboard/first-zone.tsx";
import { BulkActs } from "./bulk-acts.tsx";
import { columns, type ListedZone } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { useFilters } from "./use-filters.ts";

/** Zones of one page. */
const page = 100;

export function Screen() {
  const open = useOpen();
  const { query, isFiltered } = useFilters();
  const [selected, setSelected] = useState<readonly ListedZone[]>([]);
  const zones = useReadAll("GET /v1/zones", { query: { ...query, fields: "delegation", limit: page } });
  const isEmpty = zones.rows.length === 0 && !zones.isLoading && !zones.error && !isFiltered;
  return (
    <Page
      title={texts.title}
      error={zones.error}
      onRetry={zones.retry}
      acts={
        <>
          <PageLink to="deletedZones" fz="sm">
            {texts.deleted}
          </PageLink>
          {!isEmpty && <Button onClick={() => open({ to: "newZone" })}>{texts.new}</Button>}
        </>
      }
    >
      {isEmpty ? (
        <FirstZone />
      ) : (
        <>
          <Filters />
          <BulkActs zones={selected} onDone={() => setSelected([])} />
          <Table
            label={texts.label}
            rows={zones.rows}
            columns={columns}
            idOf={({ id }) => id}
            isLoading={zones.isLoading}
            total={zones.total}
            onMore={zones.more}
            onOpen={({ zone }) => open({ to: "zone", params: { zone } })}
            selected={selected}
            onSelect={setSelected}
            sortedBy="name"
            empty={texts.none}
            error={zones.error}
          />
        </>
      )}
    </Page>
  );
}
