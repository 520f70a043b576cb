/** A record while it is edited: what was typed is kept in the tab until it is saved, added to the draft or discarded. */
import { Alert, Box, Button, Group, SegmentedControl, SimpleGrid, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { PageLink } from "../../app/link.tsx";
import { useDraft } from "../../kit/draft.ts";
import { useKept } from "../../kit/kept.ts";
import { Name } from "../../kit/name.tsx";
import { Page } from "../../kit/page.tsx";
import { recordTexts as texts } from "../../text/record.ts";
import { Conflict } from "./conflict.tsx";
import { CopyRecord } from "./copy-record.tsx";
import { DeleteRecord } from "./delete-record.tsx";
import { bodyOf, type Edited, feedOf, isSame, keptAs, withEdit } from "./model.ts";
import { Now } from "./now.tsx";
import { Raw } from "./raw.tsx";
import { RecordForm } from "./record-form.tsx";
import { drawn, Simulator } from "./simulator/simulator.tsx";
import { useClient } from "./simulator/use-client.ts";
import { type Explanation, useSimulation } from "./simulator/use-simulation.ts";
import { useSave } from "./use-save.ts";

export interface RecordPath {
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
}

export interface Stored {
  readonly record: Edited;
  readonly etag: string | undefined;
}

interface Props {
  readonly path: RecordPath;
  /** The record in the service; undefined for a new one. */
  readonly stored: Stored | undefined;
  readonly initial: Edited;
}

export function Editor({ path, stored, initial }: Props) {
  const { zone, domain, type } = path;
  const [kept, keep, forget] = useKept<Edited | null>(keptAs(path), null);
  const [lit, setLit] = useState<number>();
  const [shape, setShape] = useState("form");
  const drafted = useDraft().find(zone, domain, type);
  const before = useMemo(() => {
    const record = stored?.record ?? initial;
    return drafted && drafted.action !== "delete" ? withEdit(record, drafted) : record;
  }, [stored, initial, drafted]);
  const edited = kept ?? before;
  const isChanged = edited !== stored?.record && edited !== initial && !(stored && isSame(edited, stored.record));
  const save = useSave({ path, stored, edited, drafted, onSaved: forget });
  const body = isChanged ? bodyOf(edited) : undefined;
  const { client } = useClient();
  const simulation = useSimulation({ ...path, body, client, part: "client", draws: drawn });
  const warned = JSON.stringify(simulation.data?.warnings ?? []);
  const warnings = useMemo((): Explanation["warnings"] => JSON.parse(warned), [warned]);
  const isKnown = save.error?.field !== undefined && /^(answers|filters|regions|meta|ttl)/.test(save.error.field);
  const left = (
    <Stack gap="md">
      <SegmentedControl
        size="xs"
        style={{ alignSelf: "start" }}
        aria-label={texts.shape}
        value={shape}
        onChange={setShape}
        data={[
          { value: "form", label: texts.form },
          { value: "json", label: "JSON" },
        ]}
      />
      {shape === "json" ? (
        <Raw edited={edited} error={isKnown ? save.error?.message : undefined} onChange={keep} />
      ) : (
        <RecordForm {...{ type, edited, warnings, lit }} error={save.error} onLit={setLit} onChange={keep} />
      )}
    </Stack>
  );
  const right = (
    <Simulator
      {...path}
      isStored={stored !== undefined}
      simulation={simulation}
      body={body}
      feeds={feedsOf(edited)}
      lit={lit}
      onLit={setLit}
    />
  );
  return (
    <Page
      title={`${domain} ${type}`}
      heading={
        <>
          <Name name={domain} /> {type}
        </>
      }
      about={
        <PageLink to="zone" params={{ zone }}>
          {zone}
        </PageLink>
      }
      acts={
        <>
          <CopyRecord path={path} edited={edited} />
          {stored && <DeleteRecord path={path} stored={stored} />}
          {isChanged && (
            <>
              {kept !== null && (
                <Button variant="subtle" onClick={forget}>
                  {texts.discard}
                </Button>
              )}
              <Button variant="default" loading={save.isAdding} onClick={save.toDraft}>
                {texts.toDraft}
              </Button>
            </>
          )}
          <Button loading={save.isPending} disabled={!isChanged} onClick={save.save}>
            {stored ? texts.save : texts.create}
          </Button>
        </>
      }
    >
      {stored ? <Now {...path} isSteered={stored.record.filters.length > 0} /> : <Hint text={texts.new} />}
      {drafted && <Hint text={texts.inDraft} link={texts.openDraft} />}
      {save.conflict && (
        <Conflict
          mine={edited}
          theirs={save.conflict.record}
          onKeepMine={save.overwrite}
          onTakeTheirs={() => save.takeTheirs()}
        />
      )}
      {save.error && !isKnown && !save.conflict && (
        <Alert color="red" mb="md" role="alert">
          {save.error.message}
        </Alert>
      )}
      <Halves left={left} right={right} />
    </Page>
  );
}

/** The feeds that the metadata of a record name. */
function feedsOf({ answers, regions, meta }: Edited): string[] {
  const tables = [
    meta,
    ...answers.map((answer) => answer.meta ?? {}),
    ...Object.values(regions).map((one) => one.meta ?? {}),
  ];
  return [...new Set(tables.flatMap((table) => Object.values(table).flatMap((value) => feedOf(value) ?? [])))];
}

function Hint({ text, link }: { readonly text: string; readonly link?: string }) {
  return (
    <Alert mb="md" py={6}>
      <Group gap="sm">
        <Text size="sm">{text}</Text>
        {link !== undefined && <PageLink to="changes">{link}</PageLink>}
      </Group>
    </Alert>
  );
}

/** Editing and simulating side by side; on a phone one of the two at a time. */
function Halves({ left, right }: { readonly left: React.ReactNode; readonly right: React.ReactNode }) {
  const isWide = useMediaQuery("(min-width: 62em)", true);
  const [half, setHalf] = useState("edit");
  if (isWide) {
    return (
      <SimpleGrid cols={2} spacing="xl">
        <Box miw={0}>{left}</Box>
        <Box miw={0}>{right}</Box>
      </SimpleGrid>
    );
  }
  return (
    <Stack>
      <SegmentedControl
        value={half}
        onChange={setHalf}
        data={[
          { value: "edit", label: texts.edit },
          { value: "simulate", label: texts.simulator },
        ]}
      />
      {half === "edit" ? left : right}
    </Stack>
  );
}
