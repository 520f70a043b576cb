/** A zone that comes from another server. */
import { Button, Group, Stack } from "@mantine/core";
import type { FormEvent } from "react";
import { ErrorNote } from "../../kit/error-note.tsx";
import { newZoneTexts as texts } from "../../text/new-zone.ts";
import { SourceFields } from "../zone/transfers/source-fields.tsx";
import { isAboutName, NameField } from "./name-field.tsx";
import { useCreate } from "./use-create.ts";
import { useSource } from "./use-source.ts";

export function Secondary() {
  const source = useSource();
  const { create, isPending, error } = useCreate(source.forget);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create({ secondary: source.secondary() });
  };
  const isShown = isAboutName(error) || (error?.field ?? "").startsWith("secondary.");
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NameField error={error} />
        <SourceFields {...source.fieldsWith(error)} />
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
