/** The answers of a record in their groups, each with its fields and metadata. */
import { ActionIcon, Button, Group, Paper, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useRecordTypes } from "../../../kit/catalogues.ts";
import { shownOf, visibleOf } from "../../../kit/plain.ts";
import { recordTexts as texts } from "../../../text/record.ts";
import { AidButton } from "../aids/aid-button.tsx";
import { type Answer, type Edited, type Meta, withAt } from "../model.ts";
import { MetaEditor } from "./meta-editor.tsx";
import { Rdata } from "./rdata.tsx";

interface Props {
  readonly type: string;
  readonly edited: Edited;
  readonly messageOf: (field: string) => string | undefined;
  readonly onChange: (edited: Edited) => void;
}

export function AnswersEditor({ type, edited, messageOf, onChange }: Props) {
  const { answers, regions } = edited;
  const meta = withoutComment(edited.meta);
  const setMeta = (next: Meta) => onChange({ ...edited, meta: { ...commentOf(edited.meta), ...next } });
  const set = (next: readonly Answer[]) => onChange({ ...edited, answers: next });
  const add = (region?: string) => set([...answers, { answer: [""], ...(region !== undefined && { region }) }]);
  const rows = answers.map((answer, at) => ({ answer, at }));
  const rowsOf = (name: string | undefined) => rows.filter(({ answer }) => answer.region === name);
  const row = ({ answer, at }: (typeof rows)[number]) => (
    <AnswerRow key={answer.id ?? `new${at}`} at={at} type={type} edited={edited} messageOf={messageOf} onChange={set} />
  );
  return (
    <Stack gap="sm">
      {Object.keys(regions).map((name) => (
        <Paper key={name} withBorder p="xs">
          <Group justify="space-between" mb={4}>
            <Text fw={600} size="sm">
              {texts.group} <span className="name">{visibleOf(name)}</span>
            </Text>
            <Act label={`${texts.removeGroup} ${name}`} onClick={() => onChange(withoutGroup(edited, name))}>
              <IconTrash size={16} />
            </Act>
          </Group>
          <MetaEditor
            of={`${texts.group} ${name}`}
            meta={regions[name]?.meta ?? {}}
            inherited={[{ from: texts.fromRecord, meta }]}
            messageOf={(key) => messageOf(`regions.${name}.meta.${key}`)}
            onChange={(next) =>
              onChange({ ...edited, regions: { ...regions, [name]: { ...regions[name], meta: next } } })
            }
          />
          <Stack gap="xs" mt="xs">
            {rowsOf(name).map(row)}
          </Stack>
          <Button variant="subtle" size="compact-xs" mt={4} onClick={() => add(name)}>
            {texts.addAnswerTo(visibleOf(name))}
          </Button>
        </Paper>
      ))}
      {rowsOf(undefined).map(row)}
      <Group>
        <Button variant="default" size="compact-sm" onClick={() => add()}>
          {texts.addAnswer}
        </Button>
        <AddGroup
          known={Object.keys(regions)}
          onAdd={(name) => onChange({ ...edited, regions: { ...regions, [name]: { meta: {} } } })}
        />
      </Group>
      <Title order={3} mt="xs">
        {texts.recordMeta}
      </Title>
      <MetaEditor of={texts.recordMeta} meta={meta} messageOf={(key) => messageOf(`meta.${key}`)} onChange={setMeta} />
    </Stack>
  );
}

/** The comment of the record has its own field in the settings. */
const commentOf = ({ note }: Meta): Meta => (typeof note === "string" ? { note } : {});

const withoutComment = (meta: Meta): Meta =>
  Object.fromEntries(Object.entries(meta).filter(([key, value]) => key !== "note" || typeof value !== "string"));

/** The answers of a group that is removed stay, without a group. */
function withoutGroup(edited: Edited, name: string): Edited {
  const { [name]: _, ...regions } = edited.regions;
  const answers = edited.answers.map((answer) => (answer.region === name ? { ...answer, region: undefined } : answer));
  return { ...edited, regions, answers };
}

interface RowProps extends Pick<Props, "type" | "edited" | "messageOf"> {
  readonly at: number;
  readonly onChange: (answers: readonly Answer[]) => void;
}

function AnswerRow({ at, type, edited, messageOf, onChange }: RowProps) {
  const types = useRecordTypes();
  const { answers, regions } = edited;
  const meta = withoutComment(edited.meta);
  const answer = answers[at]!;
  const set = (next: Answer) => onChange(withAt(answers, at, next));
  const swap = (other: number) => onChange(swapped(answers, at, other));
  const inherited = [
    ...(answer.region === undefined ? [] : [{ from: texts.fromGroup, meta: regions[answer.region]?.meta ?? {} }]),
    { from: texts.fromRecord, meta },
  ];
  const text = shownOf(answer.answer.join(" "), 60) || String(at + 1);
  return (
    <Paper p={6} withBorder role="group" aria-label={`${texts.answer} ${text}`}>
      <Group gap={4} mb={6} align="flex-end">
        <Rdata
          type={types[type]}
          parts={answer.answer}
          error={messageOf(`answers[${at}].answer`) ?? messageOf(`answers[${at}]`)}
          onChange={(parts) => set({ ...answer, answer: parts })}
        />
        {/* below the fields where both do not fit */}
        <Group gap={4} wrap="nowrap" ms="auto">
          <AidButton type={type} of={text} onUse={(parts) => set({ ...answer, answer: parts })} />
          {Object.keys(regions).length > 0 && (
            <Select
              size="xs"
              w={120}
              aria-label={texts.group}
              clearable
              placeholder={texts.noGroup}
              data={Object.keys(regions)}
              value={answer.region ?? null}
              onChange={(region) => set({ ...answer, region: region ?? undefined })}
            />
          )}
          <Act label={`${texts.moveUp}: ${text}`} isOff={at === 0} onClick={() => swap(at - 1)}>
            <IconArrowUp size={16} />
          </Act>
          <Act label={`${texts.moveDown}: ${text}`} isOff={at === answers.length - 1} onClick={() => swap(at + 1)}>
            <IconArrowDown size={16} />
          </Act>
          <Act label={`${texts.removeAnswer} ${text}`} onClick={() => onChange(withAt(answers, at))}>
            <IconTrash size={16} />
          </Act>
        </Group>
      </Group>
      <MetaEditor
        of={`${texts.answer} ${text}`}
        meta={answer.meta ?? {}}
        inherited={inherited}
        messageOf={(key) => messageOf(`answers[${at}].meta.${key}`)}
        onChange={(next) => set({ ...answer, meta: next })}
      />
    </Paper>
  );
}

interface ActProps {
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

const Act = ({ label, isOff = false, onClick, children }: ActProps) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isOff} onClick={onClick}>
    {children}
  </ActionIcon>
);

function swapped<T>(list: readonly T[], at: number, other: number): T[] {
  const next = [...list];
  [next[at], next[other]] = [next[other]!, next[at]!];
  return next;
}

function AddGroup({ known, onAdd }: { readonly known: readonly string[]; readonly onAdd: (name: string) => void }) {
  const [name, setName] = useState<string>();
  if (name === undefined) {
    return (
      <Button variant="default" size="compact-sm" onClick={() => setName("")}>
        {texts.addGroup}
      </Button>
    );
  }
  const add = () => {
    if (name.trim() !== "" && !known.includes(name.trim())) onAdd(name.trim());
    setName(undefined);
  };
  return (
    <TextInput
      size="xs"
      aria-label={texts.groupName}
      placeholder={texts.groupName}
      autoFocus
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={add}
      onKeyDown={(event) => event.key === "Enter" && add()}
    />
  );
}
