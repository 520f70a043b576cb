/** The log of all changes, with filters, and each entry's before and after. */
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { ApiError } from "../../api/client.ts";
import type { ActivityEntry } from "../../api/types.ts";
import { useAddresses } from "../../kit/address.ts";
import { useRead } from "../../kit/api.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Page } from "../../kit/page.tsx";
import { Table } from "../../kit/table.tsx";
import { activityTexts as texts } from "../../text/activity.ts";
import { columns } from "./columns.tsx";
import { Entry } from "./entry.tsx";
import { Export } from "./export.tsx";
import { Filters, filterNames, queryOf } from "./filters.tsx";

const first = 100;
/** What the API lists at most. */
const most = 5000;

export function Screen() {
  const [filters, set] = useAddresses(filterNames);
  const [limit, setLimit] = useState(first);
  const [exportError, setExportError] = useState<ApiError | null>(null);
  // a filter that is being typed is asked for when the typing rests
  const [query] = useDebouncedValue(queryOf(filters), 250);
  const { data, error, isFetching, refetch } = useRead("GET /v1/account/activity", { query: { ...query, limit } });
  const entries = Array.isArray(data?.data) ? data.data : [];
  const isMore = entries.length >= limit && limit < most;
  return (
    <Page
      title={texts.title}
      about={texts.about}
      acts={<Export query={query} onError={setExportError} />}
      error={error}
      onRetry={() => void refetch()}
    >
      <ErrorNote error={exportError} />
      <Filters types={entries.map(({ resource_type }) => resource_type)} />
      <Table<ActivityEntry>
        label={texts.label}
        rows={entries}
        columns={columns}
        idOf={({ id }) => id}
        isLoading={isFetching}
        onMore={isMore ? () => setLimit(Math.min(most, limit * 2)) : undefined}
        empty={texts.none}
        expanded={(entry) => <Entry entry={entry} onId={(id) => set({ id })} onUser={(user) => set({ user })} />}
      />
      {entries.length >= most && texts.most(most)}
    </Page>
  );
}
