/** A form for tags: names with a text each, or without one. */
import { Button, CloseButton, Group, Stack, TextInput } from "@mantine/core";
import { kitTexts as texts } from "../text/kit.ts";

export interface TagRow {
  readonly tag: string;
  readonly value: string;
}

interface Props {
  readonly rows: readonly TagRow[];
  readonly onChange: (rows: TagRow[]) => void;
}

/** Tags as they are read, as rows of the form. */
export const rowsOfTags = (tags: { readonly [tag: string]: unknown }): TagRow[] =>
  Object.entries(tags).map(([tag, value]) => ({ tag, value: typeof value === "string" ? value : "" }));

/** Rows of the form as tags that can be written; a row without a name is left out. */
export const tagsOfRows = (rows: readonly TagRow[]): { [tag: string]: string | null } =>
  Object.fromEntries(
    rows.filter(({ tag }) => tag.trim() !== "").map(({ tag, value }) => [tag.trim(), value === "" ? null : value]),
  );

export function TagsEditor({ rows, onChange }: Props) {
  const set = (at: number, row: Partial<TagRow>) =>
    onChange(rows.map((other, index) => (index === at ? { ...other, ...row } : other)));
  return (
    <Stack gap="xs" align="flex-start">
      {rows.map(({ tag, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and are never reordered
        <Group key={at} gap="xs" wrap="nowrap">
          <TextInput
            aria-label={texts.tag}
            placeholder={texts.tag}
            value={tag}
            onChange={(event) => set(at, { tag: event.currentTarget.value })}
          />
          <TextInput
            aria-label={texts.tagValue(tag)}
            placeholder={texts.value}
            value={value}
            onChange={(event) => set(at, { value: event.currentTarget.value })}
          />
          <CloseButton
            aria-label={texts.removeTag(tag)}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          />
        </Group>
      ))}
      <Button variant="default" size="compact-sm" onClick={() => onChange([...rows, { tag: "", value: "" }])}>
        {texts.addTag}
      </Button>
    </Stack>
  );
}
