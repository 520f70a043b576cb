/** The entries of the activity log that are about the zone. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ActivityEntry, Zone } from "../../../api/types.ts";
import { PageLink, useOpen } from "../../../app/link.tsx";
import { ErrorNote, isRefused } from "../../../kit/error-note.tsx";
import { Table } from "../../../kit/table.tsx";
import { zoneActivityTexts as texts } from "../../../text/zone-statistics.ts";
import { columns } from "../../activity/columns.tsx";
import { Entry } from "../../activity/entry.tsx";
import { useActivity } from "./use-activity.ts";

export function Activity({ zone: { zone } }: { readonly zone: Zone }) {
  const open = useOpen();
  const [pages, setPages] = useState(1);
  const { entries, read, hasMore, isLoading, error, retry } = useActivity(zone, pages);
  if (isRefused(error)) return <ErrorNote error={error} />;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {texts.about}
        </Text>
        <PageLink to="activity" fz="sm">
          {texts.all}
        </PageLink>
      </Group>
      <ErrorNote error={error} onRetry={retry} />
      <Table<ActivityEntry>
        label={texts.label}
        rows={entries}
        columns={columns}
        idOf={({ id }) => id}
        isLoading={isLoading}
        empty={isLoading ? "" : texts.none}
        expanded={(entry) => (
          <Entry
            entry={entry}
            onId={(id) => open({ to: "activity", search: { id } })}
            onUser={(user) => open({ to: "activity", search: { user } })}
          />
        )}
      />
      <Group>
        <Text size="xs" c="dimmed" role="status">
          {texts.read(entries.length, read)}
        </Text>
        {hasMore && (
          <Button variant="default" size="compact-sm" loading={isLoading} onClick={() => setPages(pages + 1)}>
            {texts.older}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
