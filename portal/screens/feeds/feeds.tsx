/** The list of sources with their feeds. */
import { Button, Text } from "@mantine/core";
import { useMemo } from "react";
import type { Source } from "../../api/types.ts";
import { useOpen } from "../../app/link.tsx";
import { useAddress } from "../../kit/address.ts";
import { useRead, useReadAll } from "../../kit/api.ts";
import { Listing } from "../../kit/listing.tsx";
import { Page } from "../../kit/page.tsx";
import { plainOf, visibleOf } from "../../kit/plain.ts";
import { State } from "../../kit/state.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { FirstFeed } from "./first-feed.tsx";
import { freshnessOf } from "./freshness.ts";
import { SourceForm } from "./source-form.tsx";

export function Screen() {
  const open = useOpen();
  const [form, setForm] = useAddress("form");
  const sources = useReadAll("GET /v1/data/sources", { query: { limit: 100 } });
  const types = useRead("GET /v1/data/sourcetypes").data?.data;
  const columns = useMemo(() => columnsFor((type) => plainOf(types?.[type]?.shortdesc ?? "")), [types]);
  const isEmpty = sources.isRead && sources.rows.length === 0;
  const openSource = (source: string) => open({ to: "source", params: { source } });
  return (
    <Page
      title={texts.title}
      about={texts.about}
      acts={!isEmpty && !sources.error && <Button onClick={() => setForm("source")}>{texts.newSource}</Button>}
    >
      {isEmpty ? (
        <FirstFeed onMade={openSource} />
      ) : (
        <Listing
          read={sources}
          textsOf={({ name }) => [name]}
          label={texts.label}
          columns={columns}
          idOf={({ id }) => id}
          onOpen={({ id }) => openSource(id)}
        />
      )}
      {form === "source" && <SourceForm onSaved={({ id }) => openSource(id)} onClose={() => setForm("")} />}
    </Page>
  );
}

const columnsFor = (wordOf: (type: string) => string): readonly Column<Source>[] => [
  {
    accessor: "name",
    title: texts.name,
    render: ({ name }) => (
      <Text inherit fw={600} component="bdi">
        {visibleOf(name)}
      </Text>
    ),
  },
  {
    accessor: "sourcetype",
    title: texts.type,
    render: ({ sourcetype }) => (
      <>
        {wordOf(sourcetype)}{" "}
        <Text component="span" inherit c="dimmed">
          {sourcetype}
        </Text>
      </>
    ),
  },
  {
    accessor: "status",
    title: texts.status,
    render: ({ status, feeds }) => {
      const stale = feeds.filter((feed) => freshnessOf(feed) === "stale").length;
      if (status !== "ok") return <State is="waiting" text={texts.statuses[status] ?? status} />;
      return stale > 0 ? <State is="stale" text={texts.silentFeeds(stale)} /> : <State is="ok" />;
    },
  },
  { accessor: "feeds", title: texts.feeds, textAlign: "right", width: 80, render: ({ feeds }) => feeds.length },
  {
    accessor: "pushed_at",
    title: texts.lastPush,
    render: ({ feeds }) => <Time at={Math.max(0, ...feeds.map(({ pushed_at }) => pushed_at ?? 0))} />,
  },
];
