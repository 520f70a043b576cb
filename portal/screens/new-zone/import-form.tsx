/** The form of an import, from a file or by a transfer: leaving out what is wrong, progress, messages, and the result. */
import { Button, Checkbox, Group, Progress, Stack, Text } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import type { ApiError } from "../../api/client.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import type { ImportTexts } from "../../text/new-zone.ts";
import { Imported, WrongLines } from "./import-result.tsx";
import { isAboutName } from "./name-field.tsx";
import type { ImportState } from "./use-import.ts";

interface Props {
  readonly state: ImportState;
  readonly texts: ImportTexts;
  readonly isReady: boolean;
  /** Whether a refusal is shown at one of the fields. */
  readonly isShown?: (error: ApiError) => boolean;
  readonly onSend: (isPartial: boolean) => void;
  /** The fields, which are given the refusal. */
  readonly children: (error: ApiError | null) => ReactNode;
}

export function ImportForm({ state, texts, isReady, isShown = () => false, onSend, children }: Props) {
  const [isPartial, setPartial] = useState(false);
  if (state.is === "done") return <Imported zone={state.zone} warnings={state.warnings} />;
  const { error, lines } = state.is === "failed" ? state : { error: null, lines: [] };
  const isBusy = state.is === "sending" || state.is === "running";
  const isWrong = lines.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend(isPartial);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {children(isWrong ? null : error)}
        <Checkbox
          label={texts.partial}
          description={texts.partialHint}
          checked={isPartial}
          onChange={(event) => setPartial(event.currentTarget.checked)}
        />
        {isWrong && (
          <WrongLines texts={texts} lines={lines} message={error?.message ?? ""} onPartial={() => onSend(true)} />
        )}
        {error && !isWrong && !isAboutName(error) && !isShown(error) && <ErrorNote error={error} />}
        {isBusy && (
          <div role="status">
            <Text size="sm">{state.is === "running" ? texts.running(state.status, state.percent) : texts.sending}</Text>
            <Progress value={state.is === "running" ? state.percent : 0} aria-label={texts.act} animated />
          </div>
        )}
        <Group>
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            {texts.act}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
