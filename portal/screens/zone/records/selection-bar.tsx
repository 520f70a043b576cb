/** Acts on the selected rows: another TTL, and deleting them. */
import { Button, Group, Paper, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../../../kit/confirm.tsx";
import { DangerButton } from "../../../kit/danger-button.tsx";
import { useDraft } from "../../../kit/draft.ts";
import type { Edit } from "../../../kit/draft-edits.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Guarded, isGuarded } from "../../../kit/guarded.tsx";
import { scanTtl } from "../../../kit/ttl.ts";
import { kitTexts } from "../../../text/kit.ts";
import { recordsTexts as texts } from "../../../text/records.ts";
import type { Row } from "./row.ts";
import { useSave } from "./use-save.ts";

interface Props {
  readonly zone: string;
  readonly selected: readonly Row[];
  /** All rows that match the search. */
  readonly rows: readonly Row[];
  readonly onSelect: (rows: Row[]) => void;
}

/** Names in a question before it says how many more there are. */
const namesShown = 5;

export function SelectionBar({ zone, selected, rows, onSelect }: Props) {
  const [ttl, setTtl] = useState("");
  const [isDeleting, setDeleting] = useState(false);
  const { save, confirm, isPending, error, reset } = useSave();
  const draft = useDraft();
  const seconds = scanTtl(ttl);
  const count = selected.length;

  const none = () => onSelect([]);
  const edits = (fields: Pick<Edit, "action" | "ttl">): Edit[] =>
    selected.map(({ domain, type, record, edit }) => {
      const isCreated = record === undefined && fields.action !== "delete";
      const action = isCreated ? "create" : fields.action;
      const kept = fields.action === "delete" ? {} : edit;
      return { ...kept, ...fields, action, zone, domain, type };
    });
  const toDraft = (fields: Pick<Edit, "action" | "ttl">) => draft.add(edits(fields), none);
  const names = selected.slice(0, namesShown).map(({ name, type }) => `${name} ${type}`);
  const more = count > namesShown ? ` ${kitTexts.andMore(count - namesShown)}` : "";
  return (
    <Paper withBorder p="xs" role="region" aria-label={texts.selected(count)}>
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {texts.selected(count)}
        </Text>
        {rows.length > count && (
          <Button variant="subtle" size="compact-sm" onClick={() => onSelect([...rows])}>
            {texts.selectAll(rows.length)}
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" onClick={none}>
          {texts.selectNone}
        </Button>
        <TextInput
          size="xs"
          w={90}
          aria-label={texts.newTtl}
          placeholder={texts.newTtl}
          value={ttl}
          error={ttl !== "" && seconds === undefined}
          onChange={(event) => setTtl(event.currentTarget.value)}
        />
        <Button
          variant="default"
          size="compact-sm"
          disabled={seconds === undefined}
          loading={draft.isPending}
          onClick={() => toDraft({ action: "update", ttl: seconds ?? null })}
        >
          {texts.setTtl}
        </Button>
        <DangerButton size="compact-sm" onClick={() => setDeleting(true)}>
          {texts.deleteSelected(count)}
        </DangerButton>
      </Group>
      {!isDeleting && <ErrorNote error={draft.error} />}
      {isDeleting && !isGuarded(error) && (
        <Confirm
          title={texts.deleteTitle}
          text={texts.deleteText(`${names.join(", ")}${more}`)}
          other={
            <Button variant="default" loading={draft.isPending} onClick={() => toDraft({ action: "delete" })}>
              {texts.addToDraft}
            </Button>
          }
          act={texts.deleteSelected(count)}
          isPending={isPending}
          error={error ?? draft.error}
          onConfirm={() => save(edits({ action: "delete" }), none)}
          onClose={() => {
            reset();
            setDeleting(false);
          }}
        />
      )}
      <Guarded error={error} isPending={isPending} act={texts.guardedAct} onConfirm={confirm} onClose={reset} />
    </Paper>
  );
}
