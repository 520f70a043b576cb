/** The entries of the activity log that are about the zone. */
import { Group, Stack, Text } from "@mantine/core";
import type { ActivityEntry, Zone } from "../../../api/types.ts";
import { PageLink, useOpen } from "../../../app/link.tsx";
import { ErrorNote, isRefused } from "../../../kit/error-note.tsx";
import { Table } from "../../../kit/table.tsx";
import { zoneActivityTexts as texts } from "../../../text/zone-statistics.ts";
import { columns } from "../../activity/columns.tsx";
import { Entry } from "../../activity/entry.tsx";
import { useEntries } from "../../activity/use-entries.ts";

export function Activity({ zone: { zone } }: { readonly zone: Zone }) {
  const open = useOpen();
  const { entries, error, isLoading, more, retry } = useEntries({ zone });
  if (isRefused(error)) return <ErrorNote error={error} />;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {texts.about}
        </Text>
        <PageLink to="activity" search={{ zone }} fz="sm">
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
        onMore={more}
        empty={isLoading ? "" : texts.none}
        error={error}
        expanded={(entry) => (
          <Entry
            entry={entry}
            onId={(id) => open({ to: "activity", search: { id } })}
            onUser={(user) => open({ to: "activity", search: { user, zone } })}
          />
        )}
      />
    </Stack>
  );
}
