/** The fields of a record besides answers and chain: the TTL, the comment, and whether client subnets are used. */
import { Autocomplete, Checkbox, Group, TextInput } from "@mantine/core";
import { recordTexts as texts } from "../../text/record.ts";
import type { Edited } from "./model.ts";

interface Props {
  readonly edited: Edited;
  readonly messageOf: (field: string) => string | undefined;
  readonly onChange: (edited: Edited) => void;
}

export function Settings({ edited, messageOf, onChange }: Props) {
  const { ttl, use_client_subnet, filters, meta } = edited;
  const { note = "", ...others } = meta;
  const setNote = (text: string) => onChange({ ...edited, meta: text === "" ? others : { ...others, note: text } });
  const setTtl = (text: string) => {
    const seconds = /^\d+/.exec(text)?.[0];
    if (seconds !== undefined) onChange({ ...edited, ttl: Number(seconds) });
  };
  return (
    <Group align="flex-end">
      <Autocomplete
        size="xs"
        w={260}
        label={texts.ttl}
        description={texts.ttlHint}
        data={texts.ttlPresets.map(([seconds, text]) => ({ value: String(seconds), label: text }))}
        filter={({ options }) => options}
        renderOption={({ option }) =>
          texts.ttlPresets.find(([seconds]) => String(seconds) === option.value)?.[1] ?? option.value
        }
        value={String(ttl)}
        error={messageOf("ttl")}
        onChange={setTtl}
      />
      {typeof note === "string" && (
        <TextInput
          size="xs"
          flex={1}
          miw={220}
          label={texts.note}
          description={texts.noteHint}
          value={note}
          error={messageOf("meta.note")}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      )}
      {filters.length > 0 && (
        <Checkbox
          size="xs"
          mt={26}
          label={texts.subnet}
          checked={use_client_subnet}
          onChange={(event) => onChange({ ...edited, use_client_subnet: event.currentTarget.checked })}
        />
      )}
    </Group>
  );
}
