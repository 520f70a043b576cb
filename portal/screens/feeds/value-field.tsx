/** One value of metadata, with the field that its type in the catalogue asks for. */
import {
  Input,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import type { Reply } from "../../api/client.ts";
import { plainOf } from "../../kit/plain.ts";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { kitTexts } from "../../text/kit.ts";

type MetaType = Reply<"GET /v1/metatypes">["data"][string];

interface Props {
  readonly name: string;
  /** Undefined for a key that the catalogue does not have. */
  readonly type: MetaType | undefined;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

export function ValueField({ name, type, value, error, onChange }: Props) {
  const label = type ? `${plainOf(type.shortdesc)} (${name})` : name;
  const common = { label, error, flex: 1 };
  const list = Array.isArray(value) ? value.map(String) : [];
  if (type?.many && type.choices)
    return <MultiSelect {...common} data={type.choices} value={list} searchable clearable onChange={onChange} />;
  if (type?.many && type.type !== "json") {
    const numberOr = (text: string) => (type.type === "number" && /^\d+$/.test(text) ? Number(text) : text);
    return <TagsInput {...common} value={list} onChange={(next) => onChange(next.map(numberOr))} />;
  }
  if (type?.type === "checkbox") {
    const [yes, no] = name === "up" ? [texts.up, texts.down] : [kitTexts.yes, kitTexts.no];
    const isOn = value === true || value === 1 || value === "1" || value === "true";
    return (
      <Input.Wrapper {...common}>
        <SegmentedControl
          display="flex"
          w="fit-content"
          aria-label={label}
          value={String(isOn)}
          data={[
            { value: "true", label: yes },
            { value: "false", label: no },
          ]}
          onChange={(next) => onChange(next === "true")}
        />
      </Input.Wrapper>
    );
  }
  if (type?.type === "number") {
    const number = typeof value === "number" || typeof value === "string" ? value : "";
    return <NumberInput {...common} value={number} onChange={onChange} />;
  }
  if (type?.type === "select" && type.choices)
    return <Select {...common} data={type.choices} value={String(value ?? "")} searchable onChange={onChange} />;
  if (type?.type === "text" && typeof value !== "object")
    return (
      <TextInput {...common} value={String(value ?? "")} onChange={(event) => onChange(event.currentTarget.value)} />
    );
  return <JsonField label={label} value={value} error={error} onChange={onChange} />;
}

function JsonField({ label, value, error, onChange }: Pick<Props, "value" | "error" | "onChange"> & { label: string }) {
  const [text, setText] = useState(value === "" ? "" : JSON.stringify(value));
  const [isWrong, setWrong] = useState(false);
  const change = (next: string) => {
    setText(next);
    try {
      onChange(next === "" ? "" : JSON.parse(next));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <Textarea
      label={label}
      flex={1}
      autosize
      value={text}
      error={isWrong ? texts.wrongJson : error}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
