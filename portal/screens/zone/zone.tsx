/** A zone: its head, and its tabs. */
import { Group, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import type { Zone } from "../../api/types.ts";
import { PageLink } from "../../app/link.tsx";
import { useRead } from "../../kit/api.ts";
import { Loading } from "../../kit/loading.tsx";
import { Name } from "../../kit/name.tsx";
import { Page, PageTabs } from "../../kit/page.tsx";
import { visibleOf } from "../../kit/plain.ts";
import { State } from "../../kit/state.tsx";
import { Time } from "../../kit/time.tsx";
import { zoneTexts as texts } from "../../text/zone.ts";
import { zonesTexts } from "../../text/zones.ts";
import { kindOf, serialOf, stateOf } from "../zones/columns.tsx";
import { Activity } from "./activity/activity.tsx";
import { Export } from "./export/export.tsx";
import { Lint } from "./lint/lint.tsx";
import { Records } from "./records/records.tsx";
import { Settings } from "./settings/settings.tsx";
import { Statistics } from "./statistics/statistics.tsx";
import { Transfers } from "./transfers/transfers.tsx";
import { Versions } from "./versions/versions.tsx";

export function Screen() {
  const { zone: name = "" } = useParams({ strict: false });
  const options = { path: { zone: name }, query: { records: false } };
  const { data, error, isPlaceholderData, refetch } = useRead("GET /v1/zones/{zone}", options);
  // until this zone is read, the data are those of another
  const zone = isPlaceholderData ? undefined : data?.data;
  return (
    <Page
      title={name}
      heading={<Name name={name} />}
      about={zone && <About zone={zone} />}
      acts={zone && <Export zone={zone} />}
      error={error}
      onRetry={() => void refetch()}
    >
      {!zone && !error && <Loading />}
      {zone && <Tabs key={name} zone={zone} />}
    </Page>
  );
}

function Tabs({ zone }: { readonly zone: Zone }) {
  const { tabs } = texts;
  return (
    <PageTabs
      tabs={[
        { name: "records", text: tabs.records, panel: () => <Records zone={zone} /> },
        { name: "settings", text: tabs.settings, panel: () => <Settings zone={zone} /> },
        { name: "transfers", text: tabs.transfers, panel: () => <Transfers zone={zone} /> },
        { name: "versions", text: tabs.versions, panel: () => <Versions zone={zone} /> },
        { name: "statistics", text: tabs.statistics, panel: () => <Statistics zone={zone} /> },
        { name: "activity", text: tabs.activity, panel: () => <Activity zone={zone} /> },
        { name: "lint", text: tabs.lint, panel: () => <Lint zone={zone} /> },
      ]}
    />
  );
}

function About({ zone }: { readonly zone: Zone }) {
  const [state, serial] = [stateOf(zone), serialOf(zone)];
  return (
    <Group gap="xs">
      <span>{zonesTexts.kinds[kindOf(zone)]}</span>
      {zone.link !== null && (
        <span>
          {texts.linkedTo}{" "}
          <PageLink to="zone" params={{ zone: zone.link }}>
            <Name name={zone.link} />
          </PageLink>
        </span>
      )}
      <span>{serial === undefined ? texts.noSerial : texts.serial(serial)}</span>
      <span>
        {texts.changed} <Time at={zone.updated_at} />
      </span>
      {state.is !== "ok" && <State {...state} />}
      {Object.entries(zone.tags).map(([tag, value]) => (
        <Text key={tag} size="xs" span>
          {visibleOf(`#${tag}${typeof value === "string" && value !== "" ? `=${value}` : ""}`)}
        </Text>
      ))}
    </Group>
  );
}
