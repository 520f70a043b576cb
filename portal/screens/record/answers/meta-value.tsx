/** The value of one metadata key: by its kind in the catalogue, or from a feed. */
import {
  ActionIcon,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  TagsInput,
  Text,
  TextInput,
  Tooltip,
} from "@mantine/core";
import { IconPlugConnected, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { type KnownFeed, type MetaType, useFeeds } from "../../../kit/catalogues.ts";
import { plainOf, shownOf, visibleOf } from "../../../kit/plain.ts";
import { relative } from "../../../kit/time.tsx";
import { recordTexts as texts } from "../../../text/record.ts";
import { feedOf } from "../model.ts";

interface Props {
  readonly name: string;
  readonly type: MetaType | undefined;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
  readonly onRemove: () => void;
}

export function MetaValue({ name, type, value, error, onChange, onRemove }: Props) {
  const feeds = useFeeds();
  const feed = feedOf(value);
  const toggle = feed === undefined ? texts.fromFeed : texts.fixed;
  const change = () =>
    onChange(feed === undefined ? { feed: feeds.length === 1 ? feeds[0]!.id : "" } : initialOf(type));
  return (
    <Group gap={4}>
      <Text size="xs" w={{ base: "100%", xs: 130 }} flex="none">
        {plainOf(type?.shortdesc ?? name)}{" "}
        <Text span size="xs" c="dimmed">
          {name}
        </Text>
      </Text>
      <Group gap={4} wrap="nowrap" flex={1} miw={0} align="flex-start">
        {feed === undefined ? (
          <Plain name={name} type={type} value={value} error={error} onChange={onChange} />
        ) : (
          <FeedChoice feeds={feeds} feed={feed} name={name} error={error} onChange={onChange} />
        )}
        <Tooltip label={toggle}>
          <ActionIcon
            variant={feed === undefined ? "subtle" : "light"}
            aria-label={`${name}: ${toggle}`}
            onClick={change}
          >
            <IconPlugConnected size={16} />
          </ActionIcon>
        </Tooltip>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.removeMeta(name)} onClick={onRemove}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}

/** The last value of a feed for a key, and its age. */
const lastValue = ({ data, pushed_at }: KnownFeed, key: string) =>
  pushed_at === null ? texts.neverPushed : `${shownOf(JSON.stringify(data[key] ?? null), 20)}, ${relative(pushed_at)}`;

interface FeedProps extends Pick<Props, "name" | "error" | "onChange"> {
  readonly feeds: readonly KnownFeed[];
  readonly feed: string;
}

function FeedChoice({ name, feeds, feed, error, onChange }: FeedProps) {
  const known = feeds.find(({ id }) => id === feed);
  return (
    <Select
      size="xs"
      flex={1}
      aria-label={`${name}: ${texts.feed}`}
      description={known && lastValue(known, name)}
      inputWrapperOrder={["input", "description", "error"]}
      searchable
      data={feeds.map(({ id, name: own, source }) => ({ value: id, label: visibleOf(`${source} / ${own}`) }))}
      placeholder={texts.chooseFeed}
      value={feed === "" ? null : feed}
      error={error}
      onChange={(next) => next && onChange({ feed: next })}
    />
  );
}

type PlainProps = Pick<Props, "name" | "type" | "value" | "error" | "onChange">;

function Plain({ name, type, value, error, onChange }: PlainProps) {
  const common = { size: "xs" as const, error, flex: 1, "aria-label": name };
  const list = (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String);
  switch (type?.type) {
    case "checkbox":
      return (
        <Select
          {...common}
          allowDeselect={false}
          data={[
            { value: "true", label: texts.isUp },
            { value: "false", label: texts.isDown },
          ]}
          value={String(value === true || value === 1 || value === "1" || value === "true")}
          onChange={(next) => onChange(next === "true")}
        />
      );
    case "number":
      if (type.many) {
        return (
          <TagsInput {...common} value={list} splitChars={[",", " "]} onChange={(next) => onChange(next.map(Number))} />
        );
      }
      return <NumberInput {...common} hideControls value={value as number | string} onChange={onChange} />;
    case "select":
      return type.many ? (
        <MultiSelect {...common} searchable data={type.choices ?? []} value={list} onChange={onChange} />
      ) : (
        <Select {...common} searchable data={type.choices ?? []} value={list[0] ?? null} onChange={onChange} />
      );
    case "text":
      if (type.many) return <TagsInput {...common} value={list} splitChars={[",", " "]} onChange={onChange} />;
      return (
        <TextInput {...common} value={String(value ?? "")} onChange={(event) => onChange(event.currentTarget.value)} />
      );
    default:
      return <Json {...common} value={value} onChange={onChange} />;
  }
}

type JsonProps = Pick<Props, "value" | "error" | "onChange"> & { readonly "aria-label": string };

/** A value of several parts, as JSON; text that is no JSON is sent as it is, and the service says what is wrong. */
function Json({ value, onChange, ...common }: JsonProps) {
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value)));
  const change = (next: string) => {
    setText(next);
    try {
      onChange(JSON.parse(next));
    } catch {
      onChange(next);
    }
  };
  return (
    <TextInput
      {...common}
      size="xs"
      flex={1}
      ff="monospace"
      placeholder={texts.jsonHint}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** The value with which a key begins. */
export function initialOf(type: MetaType | undefined): unknown {
  if (type?.many) return [];
  if (type?.type === "checkbox") return true;
  if (type?.type === "number") return 1;
  return type?.type === "json" ? {} : "";
}
