/** The difference of two versions, with the way back for each record. */
import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import type { VersionDifference } from "../../../api/types.ts";
import { PageLink } from "../../../app/link.tsx";
import { useRead, useWrite } from "../../../kit/api.ts";
import { Diff } from "../../../kit/diff.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Name } from "../../../kit/name.tsx";
import { recordLines, settingLines } from "../../../kit/record-lines.ts";
import { useKnownTypes } from "../../../kit/record-types.ts";
import { relativeName } from "../../../kit/relative.ts";
import { kitTexts } from "../../../text/kit.ts";
import { versionsTexts as texts } from "../../../text/zone-versions.ts";

interface Props {
  readonly zone: string;
  /** The version before `to` when left out. */
  readonly from: number | undefined;
  readonly to: number;
  readonly canRestore: boolean;
  readonly onClose: () => void;
}

/** Records of a difference in view. */
const most = 200;

export function Difference({ zone, from, to, canRestore, onClose }: Props) {
  const query = { to, limit: most, ...(from === undefined ? {} : { from }) };
  const { data, error, refetch } = useRead("GET /v1/zones/{zone}/diff", { path: { zone }, query });
  const top = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another difference is shown from its top
  useEffect(() => {
    // browsers return a promise, which is no clean-up
    top.current?.scrollIntoView({ block: "nearest" });
  }, [from, to]);
  const { settings = null, records = [], from: older = null } = data?.data ?? {};
  const [before, after] = settings ? settingLines(settings.before, settings.after) : [[], []];
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.diff(older, to)} ref={top}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{texts.diff(older, to)}</Title>
        <Button variant="default" size="compact-sm" aria-label={texts.closeDiff} onClick={onClose}>
          {kitTexts.close}
        </Button>
      </Group>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      <Stack gap="sm">
        {before.length > 0 && (
          <div>
            <Text fw={600}>{texts.settings}</Text>
            <Diff before={before} after={after} />
          </div>
        )}
        {records.map((record) => (
          <RecordDifference
            key={`${record.domain}/${record.type}`}
            zone={zone}
            record={record}
            from={canRestore && record.before !== null ? older : null}
          />
        ))}
        {data && before.length === 0 && records.length === 0 && <Text size="sm">{texts.same}</Text>}
        {data?.after !== undefined && (
          <Text size="sm">{kitTexts.rows(records.length, data.total ?? records.length)}</Text>
        )}
      </Stack>
    </Paper>
  );
}

interface RecordProps {
  readonly zone: string;
  readonly record: VersionDifference["records"][number];
  /** The version that the record can be brought back to. */
  readonly from: number | null;
}

function RecordDifference({ zone, record: { domain, type, before, after }, from }: RecordProps) {
  const isText = useKnownTypes().isText(type);
  const name = relativeName(domain, zone);
  const write = useWrite("POST /v1/zones/{zone}/{domain}/{type}/restore", ["GET /v1/zones"]);
  const restore = () => {
    const onSuccess = () => notifications.show({ message: texts.restoredRecord(name, type), autoClose: 4000 });
    write.mutate({ path: { zone, domain, type }, body: { version: from } }, { onSuccess });
  };
  const word = before === null ? texts.created : after === null ? texts.deleted : "";
  return (
    <div>
      <Group gap="xs">
        <PageLink to="record" params={{ zone, name: domain, type }} c="bright" fw={600}>
          <Name name={name} /> {type}
        </PageLink>
        {word !== "" && (
          <Text size="sm" c="dimmed">
            {word}
          </Text>
        )}
        {from !== null && (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={texts.restoreRecordOf(name, type)}
            loading={write.isPending}
            onClick={restore}
          >
            {texts.restoreRecord}
          </Button>
        )}
      </Group>
      <Diff before={recordLines(before, isText)} after={recordLines(after, isText)} />
      <ErrorNote error={write.error} />
    </div>
  );
}
