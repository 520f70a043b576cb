/** The fields of one answer, by its type; a field that takes the rest is one text. */
import { Group, NumberInput, Select, TextInput } from "@mantine/core";
import type { RecordType } from "../../../kit/catalogues.ts";
import type { Parts } from "../aids/aid.ts";

interface Props {
  readonly type: RecordType | undefined;
  readonly parts: Parts;
  readonly error: string | undefined;
  readonly onChange: (parts: Parts) => void;
}

export function Rdata({ type, parts, error, onChange }: Props) {
  const fields: RecordType["fields"] = type?.fields ?? [{ name: "answer", takes: "rest", type: "text" }];
  return (
    <Group gap="xs" align="flex-end" wrap="wrap" flex={1}>
      {fields.map((field, at) => {
        const isRest = field.takes === "rest";
        const value = isRest ? parts.slice(at).join(" ") : (parts[at] ?? "");
        const set = (next: string | number) => {
          const before = Array.from({ length: at }, (_, i) => parts[i] ?? "");
          onChange([...before, next, ...(isRest ? [] : parts.slice(at + 1))]);
        };
        return (
          <Field
            key={field.name}
            field={field}
            value={value}
            error={at === 0 ? error : undefined}
            isAlone={fields.length === 1}
            onChange={set}
          />
        );
      })}
    </Group>
  );
}

interface FieldProps {
  readonly field: RecordType["fields"][number];
  readonly value: string | number;
  readonly error: string | undefined;
  /** A field without others needs no label in view. */
  readonly isAlone: boolean;
  readonly onChange: (value: string | number) => void;
}

const examples: { readonly [type: string]: string } = {
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  name: "host.example.com",
};

function Field({ field, value, error, isAlone, onChange }: FieldProps) {
  const { name, type, minimum, maximum, choices } = field;
  const label = name.replaceAll("_", " ");
  const common = { ...(isAlone ? { "aria-label": label } : { label }), error, size: "xs" as const };
  if (choices) {
    const data = choices.map(String);
    return (
      <Select
        {...common}
        w={110}
        data={data}
        value={String(value)}
        onChange={(next) => onChange(Number(next ?? data[0]))}
      />
    );
  }
  if (type === "number") {
    const limits = { ...(minimum !== undefined && { min: minimum }), ...(maximum !== undefined && { max: maximum }) };
    return (
      <NumberInput
        {...common}
        {...limits}
        w={110}
        hideControls
        allowDecimal={false}
        value={value}
        onChange={onChange}
      />
    );
  }
  return (
    <TextInput
      {...common}
      flex={1}
      miw={180}
      ff="monospace"
      placeholder={examples[type] ?? ""}
      spellCheck={false}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
