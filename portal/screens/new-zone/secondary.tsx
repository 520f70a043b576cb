/** A zone that comes from another server. */
import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ErrorNote, messageFor } from "../../kit/error-note.tsx";
import { newZoneTexts as texts } from "../../text/new-zone.ts";
import { secondaryOf } from "../zone/transfers/read.ts";
import { SourceFields } from "../zone/transfers/source-fields.tsx";
import { isAboutName, NameField } from "./name-field.tsx";
import { useCreate } from "./use-create.ts";
import { useSource } from "./use-source.ts";

export function Secondary() {
  const [source, setSource, forget] = useSource();
  const [secret, setSecret] = useState("");
  const { create, isPending, error } = useCreate(forget);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create({ secondary: secondaryOf(source, secret, null) });
  };
  const isShown = isAboutName(error) || (error?.field ?? "").startsWith("secondary.");
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NameField error={error} />
        <SourceFields
          values={source}
          secret={secret}
          isSecretStored={false}
          messageFor={(field) => messageFor(error, field)}
          onChange={(values) => setSource({ ...source, ...values })}
          onSecret={setSecret}
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
