/** A zone from a zone file that is dropped or chosen, with its progress, and each message at its line. */
import { Button, Checkbox, Group, Progress, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ErrorNote } from "../../kit/error-note.tsx";
import { newZoneTexts as texts } from "../../text/new-zone.ts";
import { FileField } from "./file-field.tsx";
import { Imported, WrongLines } from "./import-result.tsx";
import { isAboutName, NameField } from "./name-field.tsx";
import { useName } from "./use-create.ts";
import { useImport } from "./use-import.ts";

/** Octets of a file in which its zone's name is looked for. */
const head = 16_384;

export function FromFile() {
  const [name, setName] = useName();
  const [file, setFile] = useState<File>();
  const [isPartial, setPartial] = useState(false);
  const [hint, setHint] = useState<string>(texts.nameHint);
  const { state, run, reset } = useImport();

  const choose = async (chosen: File) => {
    setFile(chosen);
    reset();
    if (name !== "") return;
    const found = zoneNameIn(await chosen.slice(0, head).text());
    if (found === undefined) return;
    setName(found);
    setHint(texts.nameFromFile);
  };
  const send = (partial: boolean) => file && run(name, file, partial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(isPartial);
  };
  if (state.is === "done") return <Imported zone={state.zone} warnings={state.warnings} />;
  const error = state.is === "failed" ? state.error : null;
  const wrong = state.is === "failed" ? state.lines : [];
  const isBusy = state.is === "sending" || state.is === "running";
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FileField file={file} onChoose={(chosen) => void choose(chosen)} />
        <NameField error={wrong.length > 0 ? null : error} hint={hint} isFirst={false} />
        <Checkbox
          label={texts.partial}
          description={texts.partialHint}
          checked={isPartial}
          onChange={(event) => setPartial(event.currentTarget.checked)}
        />
        {wrong.length > 0 && <WrongLines lines={wrong} message={error?.message ?? ""} onPartial={() => send(true)} />}
        {wrong.length === 0 && !isAboutName(error) && <ErrorNote error={error} />}
        {isBusy && (
          <div role="status">
            <Text size="sm">{textOf(state)}</Text>
            <Progress value={state.is === "running" ? state.percent : 0} aria-label={texts.import} animated />
          </div>
        )}
        <Group>
          <Button type="submit" loading={isBusy} disabled={file === undefined}>
            {texts.import}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function textOf(state: { readonly is: string; readonly percent?: number; readonly isWaiting?: boolean }): string {
  if (state.is === "sending") return texts.sending;
  return state.isWaiting ? texts.waiting : texts.importing(state.percent ?? 0);
}

/** The name of the zone, as `$ORIGIN` or the owner of the SOA record says. */
function zoneNameIn(text: string): string | undefined {
  const [, origin] = /^\$ORIGIN\s+(\S+?)\.?\s*(?:;.*)?$/im.exec(text) ?? [];
  const [, owner] = /^([^\s;@$]\S*?)\.\s+(?:\S+\s+){0,2}SOA\s/im.exec(text) ?? [];
  const name = owner ?? origin;
  return name === undefined || name === "" ? undefined : name.toLowerCase();
}
