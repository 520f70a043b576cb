/** The entries of the activity log that are about the zone. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ActivityEntry, Zone } from "../../../api/types.ts";
import { PageLink } from "../../../app/link.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Name } from "../../../kit/name.tsx";
import { relativeName } from "../../../kit/relative.ts";
import { type Column, Table } from "../../../kit/table.tsx";
import { Time } from "../../../kit/time.tsx";
import { activityTexts as texts } from "../../../text/zone-statistics.ts";
import { namesOf, useActivity } from "./use-activity.ts";

export function Activity({ zone: { zone } }: { readonly zone: Zone }) {
  const [pages, setPages] = useState(1);
  const { entries, read, hasMore, isLoading, error, retry } = useActivity(zone, pages);
  const columns: readonly Column<ActivityEntry>[] = [
    { accessor: "timestamp", title: texts.when, render: ({ timestamp }) => <Time at={timestamp} /> },
    { accessor: "user_name", title: texts.who },
    { accessor: "action", title: texts.act, render: ({ action }) => texts.acts[action] ?? action },
    {
      accessor: "resource_type",
      title: texts.what,
      render: (entry) => {
        const { domain, type } = namesOf(entry.resource);
        if (entry.action === "bulk") return texts.bulk;
        const thing = texts.things[entry.resource_type] ?? entry.resource_type;
        return domain === undefined || type === undefined ? (
          thing
        ) : (
          <PageLink to="record" params={{ zone, name: domain, type }} c="bright">
            <Name name={relativeName(domain, zone)} fw={600} /> {type}
          </PageLink>
        );
      },
    },
  ];
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
      <Table
        label={texts.label}
        rows={entries}
        columns={columns}
        idOf={({ id }) => id}
        isLoading={isLoading}
        empty={isLoading ? "" : texts.none}
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
