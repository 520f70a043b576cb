/** Adds records, one a line, with each message at its line. */
import { Button, Group, List, Paper, Stack, Text, Textarea } from "@mantine/core";
import { useWrite } from "../../../kit/api.ts";
import { useDraft } from "../../../kit/draft.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { useKept } from "../../../kit/kept.ts";
import { useKnownTypes } from "../../../kit/record-types.ts";
import { relativeName } from "../../../kit/relative.ts";
import { kitTexts } from "../../../text/kit.ts";
import { recordsTexts as texts } from "../../../text/records.ts";
import { editsOf, type LineError, lineOf, refusedLines, scanLines } from "./lines.ts";
import type { Row } from "./row.ts";
import { rowId } from "./row-id.ts";
import { ToPage } from "./to-page.tsx";
import { useSave } from "./use-save.ts";

interface Props {
  readonly zone: string;
  readonly rows: readonly Row[];
  readonly onClose: () => void;
}

export function AddRecords({ zone, rows, onClose }: Props) {
  const [text, keep, forget] = useKept(`add:${zone}`, "");
  const known = useKnownTypes();
  const draft = useDraft();
  const { save, isPending, error, reset } = useSave();
  // the service checks what goes into the draft, and changes nothing
  const check = useWrite("PUT /v1/changesets", []);
  const { lines, errors } = scanLines(text, zone, known);
  const edits = editsOf(zone, lines, rows);
  const refusal = check.error ?? error ?? draft.error;
  const refused = lineOf(refusal?.field, edits);
  const all: LineError[] = [
    ...errors,
    ...refusedLines(lines, rows),
    ...(refusal && refused !== undefined ? [{ number: refused, message: withoutItem(refusal.message) }] : []),
  ].sort((a, b) => a.number - b.number);
  const isReady = edits.length > 0 && all.length === 0;

  const close = () => {
    forget();
    onClose();
  };
  const records = edits.map(({ edit }) => edit);
  const toDraft = () => {
    const onSuccess = () => draft.add(records, close);
    check.mutate({ body: { records }, query: { dry_run: true } }, { onSuccess });
  };
  const only = errors.length === 0 && records.length === 1 ? records[0] : undefined;
  const saveNow = () => save(records, close);
  // several records are collected, one is saved at once
  const isCollected = edits.length > 1 || draft.edits.length > 0;
  const acts = [
    { text: texts.addSave(edits.length), isUsual: !isCollected, isBusy: isPending, run: saveNow },
    { text: texts.addToDraft, isUsual: isCollected, isBusy: check.isPending || draft.isPending, run: toDraft },
  ];
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.add}>
      <Stack gap="xs">
        <Textarea
          label={texts.lines}
          description={texts.linesHint}
          placeholder={texts.linesExample}
          autosize
          minRows={4}
          maxRows={20}
          autoFocus
          spellCheck={false}
          classNames={{ input: "name" }}
          value={text}
          onChange={(event) => {
            check.reset();
            draft.reset();
            reset();
            keep(event.currentTarget.value);
          }}
        />
        {all.length > 0 && (
          <List size="sm" role="alert" listStyleType="none">
            {all.map(({ number, message }) => (
              <List.Item key={`${number} ${message}`} c="var(--mantine-color-error)">
                {texts.lineAt(number)}: {message}
              </List.Item>
            ))}
          </List>
        )}
        {refused === undefined && <ErrorNote error={refusal} />}
        <Kept edits={edits} zone={zone} />
        <Group gap="xs">
          {acts.map(({ text: label, isUsual, isBusy, run }) => (
            <Button
              key={label}
              size="compact-sm"
              variant={isUsual ? "filled" : "default"}
              disabled={!isReady}
              loading={isBusy}
              onClick={run}
            >
              {label}
            </Button>
          ))}
          <Button size="compact-sm" variant="subtle" onClick={close}>
            {kitTexts.cancel}
          </Button>
          {only && <ToPage edit={only} row={rows.find(({ id }) => id === rowId(only))} onLeave={close} />}
          {lines.length > 0 && (
            <Text size="xs" c="dimmed" role="status">
              {texts.lineCount(edits.length, lines.length)}
            </Text>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

/** Records that exist already: their answers stay. */
function Kept({ edits, zone }: { readonly edits: ReturnType<typeof editsOf>; readonly zone: string }) {
  const kept = edits.flatMap(({ edit: { domain, type }, numbers }) => {
    const count = numbers.filter((number) => number === undefined).length;
    return count === 0 ? [] : [texts.lineKept(relativeName(domain, zone), type, count)];
  });
  return kept.map((text) => (
    <Text key={text} size="xs" c="dimmed">
      {text}
    </Text>
  ));
}

/** A refusal without its place in the change set, which the line says. */
const withoutItem = (message: string) => message.replace(/^records\[\d+\]\s+(\S+\s+\S+: )?(answers\[\d+\]: )?/, "");
