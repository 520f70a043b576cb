/** A form for a table of metadata: one field for each key, by the catalogue of metadata. */
import { ActionIcon, Group, Select, Stack } from "@mantine/core";
import { useRead } from "../../kit/api.ts";
import { plainOf } from "../../kit/plain.ts";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { ValueField } from "./value-field.tsx";

export interface Table {
  readonly [key: string]: unknown;
}

interface Props {
  readonly values: Table;
  /** The keys that can be added. */
  readonly keys: readonly string[];
  readonly onChange: (values: Table) => void;
  readonly messageOf?: (key: string) => string | undefined;
}

export function ValuesForm({ values, keys, onChange, messageOf = () => undefined }: Props) {
  const types = useRead("GET /v1/metatypes").data?.data ?? {};
  const left = keys.filter((key) => !Object.hasOwn(values, key));
  const remove = (key: string) => onChange(Object.fromEntries(Object.entries(values).filter(([name]) => name !== key)));
  return (
    <Stack gap="xs">
      {Object.entries(values).map(([key, value]) => (
        <Group key={key} gap="xs" align="flex-end" wrap="nowrap">
          <ValueField
            name={key}
            type={types[key]}
            value={value}
            error={messageOf(key)}
            onChange={(next) => onChange({ ...values, [key]: next })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={texts.removeValue(key)}
            onClick={() => remove(key)}
          >
            ✕
          </ActionIcon>
        </Group>
      ))}
      <Select
        label={texts.addValue}
        data={left.map((key) => ({ value: key, label: `${plainOf(types[key]?.shortdesc ?? "")} (${key})` }))}
        value={null}
        searchable
        maw={340}
        onChange={(key) => key !== null && onChange({ ...values, [key]: blankOf(types[key]) })}
      />
    </Stack>
  );
}

/** The first value of a new key. */
const blankOf = (type: { readonly type: string; readonly many: boolean } | undefined): unknown => {
  if (type?.many) return [];
  return type?.type === "checkbox" ? true : type?.type === "number" ? 0 : "";
};
