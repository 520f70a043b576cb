/** The dashboard: queries with changes marked, the busiest zones, the last changes, and whether all edges answer them. */
import { Box, Stack } from "@mantine/core";
import { useMemo } from "react";
import { PageLink } from "../../app/link.tsx";
import { useRead } from "../../kit/api.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Page } from "../../kit/page.tsx";
import { TimeRange, usePeriod } from "../../kit/time-range.tsx";
import { dashboardTexts as texts } from "../../text/dashboard.ts";
import { isChange } from "../activity/words.ts";
import { Course } from "../analytics/course.tsx";
import { Figures } from "../analytics/figures.tsx";
import { useMarks } from "../analytics/marks.ts";
import { Attention } from "./attention.tsx";
import classes from "./dashboard.module.css";
import { FirstZone } from "./first-zone.tsx";
import { LastChange } from "./last-change.tsx";
import { Part } from "./part.tsx";
import { Recent } from "./recent.tsx";
import { TopZones } from "./top-zones.tsx";

/** Milliseconds between two reads of what is shown. */
const lookEvery = 30_000;
/** Entries that are read: those about signing in are not shown. */
const entriesRead = 50;

export function Screen() {
  const [period] = usePeriod();
  const zones = useRead("GET /v1/zones", { query: { limit: 1 } });
  const usage = useRead("GET /v1/stats/usage", { query: { period }, refetchInterval: lookEvery });
  const log = useRead("GET /v1/account/activity", { query: { limit: entriesRead }, refetchInterval: lookEvery });
  const entries = useMemo(
    () => (Array.isArray(log.data?.data) ? log.data.data.filter(isChange) : undefined),
    [log.data],
  );
  const marks = useMarks(period, lookEvery);
  const [total] = usage.data?.data ?? [];
  if (zones.data?.data.length === 0)
    return (
      <Page title={texts.title}>
        <FirstZone />
      </Page>
    );
  return (
    <Page title={texts.title} acts={<TimeRange />}>
      <ErrorNote
        error={zones.error ?? usage.error}
        onRetry={() => void Promise.all([zones.refetch(), usage.refetch()])}
      />
      <Box className={classes["parts"] ?? ""}>
        <Attention />
        <Stack gap="xl" miw={0} className={classes["main"] ?? ""}>
          <Part
            title={texts.queries}
            more={
              <PageLink to="analytics" search={{ period }} fz="sm">
                {texts.all}
              </PageLink>
            }
          >
            <Figures total={total} period={period} />
            {total && <Course total={total} marks={marks} height={200} />}
          </Part>
          {/* who may not read the log sees no part about it */}
          {log.error?.status !== 403 && (
            <>
              <ErrorNote error={log.error} onRetry={() => void log.refetch()} />
              {(entries || !log.error) && <Recent entries={entries} />}
            </>
          )}
        </Stack>
        <Stack gap="xl" miw={0}>
          <LastChange />
          <TopZones period={period} />
        </Stack>
      </Box>
    </Page>
  );
}
