/**
 * A form for free-form settings, built from their listing in a catalogue of the API: of filters, source types and others.
 * A field that is left at its default is not sent.
 */
import { Checkbox, NumberInput, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { kitTexts } from "../text/kit.ts";
import { plainOf } from "./plain.ts";

export interface FieldListing {
  readonly desc: string;
  readonly type: string;
  readonly shortdesc: string;
  readonly required: boolean;
  readonly default: string | null;
  readonly choices?: readonly string[];
}

export interface Values {
  readonly [name: string]: unknown;
}

interface Props {
  readonly listing: { readonly [name: string]: FieldListing };
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  /** The message about a field, if it was refused. */
  readonly messageOf?: (name: string) => string | undefined;
}

export function Fields({ listing, values, onChange, messageOf = () => undefined }: Props) {
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = values;
    onChange(value === undefined || value === "" ? others : { ...others, [name]: value });
  };
  return (
    <Stack gap="xs">
      {Object.entries(listing).map(([name, field]) => (
        <Field
          key={name}
          name={name}
          field={field}
          value={values[name]}
          error={messageOf(name)}
          onChange={(value) => set(name, value)}
        />
      ))}
    </Stack>
  );
}

interface FieldProps {
  readonly name: string;
  readonly field: FieldListing;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

function Field({ name, field, value, error, onChange }: FieldProps) {
  const label = `${plainOf(field.shortdesc)} (${name})`;
  const about = plainOf(field.desc);
  const common = {
    label,
    error,
    required: field.required,
    ...(about === plainOf(field.shortdesc) ? {} : { description: about }),
  };
  if (field.type === "checkbox") {
    const isOn =
      value === undefined ? field.default === "1" : value === true || value === 1 || value === "1" || value === "true";
    return <Checkbox {...common} checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />;
  }
  const placeholder = field.default === null || field.default === "" ? "" : kitTexts.default(field.default);
  if (field.type === "number") {
    const number = typeof value === "number" || typeof value === "string" ? value : "";
    return <NumberInput {...common} value={number} placeholder={placeholder} onChange={onChange} />;
  }
  if (field.choices) {
    const chosen = typeof value === "string" ? value : null;
    return (
      <Select
        {...common}
        data={[...field.choices]}
        value={chosen}
        placeholder={placeholder}
        onChange={onChange}
        clearable
      />
    );
  }
  const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  const change = (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value);
  return field.type === "textarea" ? (
    <Textarea {...common} autosize value={text} placeholder={placeholder} onChange={change} />
  ) : (
    <TextInput {...common} value={text} placeholder={placeholder} onChange={change} />
  );
}
