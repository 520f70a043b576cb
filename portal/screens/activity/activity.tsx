/** The log of all changes, with filters, and each entry's before and after. */
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { ApiError } from "../../api/client.ts";
import type { ActivityEntry } from "../../api/types.ts";
import { useAddresses } from "../../kit/address.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Page } from "../../kit/page.tsx";
import { Table } from "../../kit/table.tsx";
import { Views } from "../../kit/views.tsx";
import { activityTexts as texts } from "../../text/activity.ts";
import { columns } from "./columns.tsx";
import { Entry } from "./entry.tsx";
import { Export } from "./export.tsx";
import { Filters, filterNames, queryOf } from "./filters.tsx";
import { most, useEntries } from "./use-entries.ts";

export function Screen() {
  const [filters, set] = useAddresses(filterNames);
  const [exportError, setExportError] = useState<ApiError | null>(null);
  // a filter that is being typed is asked for when the typing rests
  const [query] = useDebouncedValue(queryOf(filters), 250);
  const { entries, error, isLoading, more, retry } = useEntries(query);
  return (
    <Page
      title={texts.title}
      about={texts.about}
      acts={
        <>
          <Views page="activity" names={filterNames} />
          <Export query={query} onError={setExportError} />
        </>
      }
      error={error}
      onRetry={retry}
    >
      <ErrorNote error={exportError} />
      <Filters types={entries.map(({ resource_type }) => resource_type)} />
      <Table<ActivityEntry>
        label={texts.label}
        rows={entries}
        columns={columns}
        idOf={({ id }) => id}
        isLoading={isLoading}
        onMore={more}
        empty={texts.none}
        error={error}
        expanded={(entry) => <Entry entry={entry} onId={(id) => set({ id })} onUser={(user) => set({ user })} />}
      />
      {entries.length >= most && texts.most(most)}
    </Page>
  );
}
