/** The tags of a zone. */
import { Stack } from "@mantine/core";
import type { FormEvent } from "react";
import type { Zone } from "../../../api/types.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { rowsOfTags, TagsEditor, tagsOfRows } from "../../../kit/tags-editor.tsx";
import { settingsTexts as texts } from "../../../text/zone-settings.ts";
import { FormActs } from "./form-acts.tsx";
import { Section } from "./section.tsx";
import { useZoneForm } from "./use-zone-form.ts";

export function Tags({ zone }: { readonly zone: Zone }) {
  const form = useZoneForm(zone.zone, "tags", { tags: rowsOfTags(zone.tags) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save({ tags: tagsOfRows(form.values.tags) });
  };
  return (
    <Section title={texts.tags} about={texts.tagsAbout}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TagsEditor rows={form.values.tags} onChange={(tags) => form.set({ tags })} />
          <ErrorNote error={form.error} />
          <FormActs
            isChanged={form.isChanged}
            isPending={form.isPending}
            what={texts.tagsObject}
            onReset={form.reset}
          />
        </Stack>
      </form>
    </Section>
  );
}
