/** Edits a record in its row: its answers and its TTL as text. */
import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { PageLink } from "../../../app/link.tsx";
import { printAnswer } from "../../../kit/answer-text.ts";
import { useWrite } from "../../../kit/api.ts";
import { useDraft } from "../../../kit/draft.ts";
import type { Edit } from "../../../kit/draft-edits.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { useKept } from "../../../kit/kept.ts";
import { useKnownTypes } from "../../../kit/record-types.ts";
import { scanTtl } from "../../../kit/ttl.ts";
import { kitTexts } from "../../../text/kit.ts";
import { recordsTexts as texts } from "../../../text/records.ts";
import { Conflict } from "./conflict.tsx";
import { answersOf } from "./edit.ts";
import type { Row } from "./row.ts";
import { useFirstState } from "./use-first-state.ts";
import { noteRecords } from "./use-save.ts";

interface Props {
  readonly zone: string;
  readonly row: Row;
  readonly onClose: () => void;
}

export function RowEditor({ zone, row, onClose }: Props) {
  const { domain, type } = row;
  const path = { zone, domain, type };
  const isText = useKnownTypes().isText(type);
  const draft = useDraft();
  const [typed, keep, forget] = useKept(`row:${zone}/${row.id}`, {
    ttl: String(row.ttl ?? ""),
    answers: row.answers.join("\n"),
  });
  const [wrong, setWrong] = useState<{ readonly ttl?: string; readonly answers?: string }>({});
  const etagAtFirst = useFirstState(path, row.record);
  const write = useWrite("POST /v1/zones/{zone}/{domain}/{type}", ["GET /v1/zones"]);

  const close = () => {
    forget();
    onClose();
  };
  const read = (): Edit | undefined => {
    const ttl = scanTtl(typed.ttl);
    const answers = answersOf(typed.answers, row.edit?.answers ?? row.record?.answers ?? [], isText);
    setWrong({
      ...(ttl === undefined ? { ttl: texts.ttlWrong } : {}),
      ...(answers.length === 0 ? { answers: texts.noAnswers } : {}),
    });
    const action = row.record ? "update" : "create";
    return ttl === undefined || answers.length === 0 ? undefined : { action, ...path, ttl, answers };
  };
  const save = async (etag?: string) => {
    const edit = read();
    if (!edit) return;
    const ifMatch = etag ?? (await etagAtFirst());
    const { ttl, answers } = edit;
    const onSuccess = ({ change }: { readonly change: string | undefined }) => {
      close();
      noteRecords(1, change);
    };
    write.mutate({ path, body: { ttl: ttl ?? null, answers: answers ?? null }, ifMatch }, { onSuccess });
  };
  const addToDraft = () => {
    const edit = read();
    if (!edit) return;
    draft.add([edit], close);
  };
  const isConflict = write.error?.status === 412;
  const isOther = write.error && !isConflict && !["ttl", "answers"].some((field) => messageFor(write.error, field));
  // one edit is saved at once, further ones are collected
  const hasDraft = draft.edits.length > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (hasDraft) addToDraft();
        else void save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
    >
      <Stack gap="xs" py={4}>
        <Textarea
          label={texts.answers}
          description={texts.answersHint}
          autosize
          maxRows={12}
          data-autofocus
          autoFocus
          spellCheck={false}
          classNames={{ input: "name" }}
          value={typed.answers}
          error={wrong.answers ?? messageFor(write.error, "answers")}
          onChange={(event) => keep({ ...typed, answers: event.currentTarget.value })}
        />
        <TextInput
          label={texts.ttl}
          description={texts.ttlHint}
          maw={360}
          value={typed.ttl}
          error={wrong.ttl ?? messageFor(write.error, "ttl")}
          onChange={(event) => keep({ ...typed, ttl: event.currentTarget.value })}
        />
        {isOther && <ErrorNote error={write.error} />}
        <ErrorNote error={draft.error} />
        {isConflict && (
          <Conflict
            path={path}
            print={(answer) => printAnswer(answer, isText)}
            onOverwrite={(etag) => void save(etag)}
            onTheirs={close}
          />
        )}
        <Group gap="xs">
          {/* the places stay, whichever is the usual act: a click by habit must not save what was to be collected */}
          {(row.edit === undefined || !hasDraft) && (
            <Button
              size="compact-sm"
              variant={hasDraft ? "default" : "filled"}
              loading={write.isPending}
              onClick={() => void save()}
            >
              {texts.save}
            </Button>
          )}
          {(row.edit === undefined || hasDraft) && (
            <Button
              size="compact-sm"
              variant={hasDraft ? "filled" : "default"}
              loading={draft.isPending}
              onClick={addToDraft}
            >
              {texts.addToDraft}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={close}>
            {kitTexts.cancel}
          </Button>
          <PageLink to="record" params={{ zone, name: domain, type }} fz="sm">
            {texts.allFields}
          </PageLink>
        </Group>
      </Stack>
    </form>
  );
}
