/** A zone that answers as another one does. */
import { Button, Group, Stack, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { ErrorNote, messageFor } from "../../kit/error-note.tsx";
import { useKept } from "../../kit/kept.ts";
import { wordOf } from "../../kit/word.tsx";
import { newZoneTexts as texts } from "../../text/new-zone.ts";
import { isAboutName, NameField } from "./name-field.tsx";
import { useCreate, zoneOf } from "./use-create.ts";

export function Linked() {
  const [target, setTarget, forget] = useKept("newzone:target", "");
  const { create, isPending, error } = useCreate(forget);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create({ link: zoneOf(target) });
  };
  const isShown = isAboutName(error) || messageFor(error, "link") !== undefined;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NameField error={error} />
        <TextInput
          label={wordOf(texts.target, "link")}
          description={texts.targetHint}
          required
          spellCheck={false}
          classNames={{ input: "name" }}
          value={target}
          error={messageFor(error, "link")}
          onChange={(event) => setTarget(event.currentTarget.value)}
        />
        <ErrorNote error={isShown ? null : error} />
        <Group>
          <Button type="submit" loading={isPending}>
            {texts.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
