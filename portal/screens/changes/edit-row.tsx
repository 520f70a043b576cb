/** One edit of the draft: what goes and what comes. */
import { ActionIcon, Badge, Group, Paper, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Record as ApiRecord, ChangeSetEffect } from "../../api/types.ts";
import { PageLink } from "../../app/link.tsx";
import type { Edit } from "../../kit/draft.ts";
import { Name } from "../../kit/name.tsx";
import { changesTexts as texts } from "../../text/changes.ts";

type Difference = ChangeSetEffect["zones"][number]["records"][number];

interface Props {
  readonly edit: Edit;
  /** Undefined when the edit changes nothing, or is not worked out yet. */
  readonly difference: Difference | undefined;
  readonly isKnown: boolean;
  readonly message: string | undefined;
  readonly onDrop: () => void;
}

export function EditRow({ edit, difference, isKnown, message, onDrop }: Props) {
  const { zone, domain, type } = edit;
  return (
    <Paper withBorder p="xs" mb={4}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="xs">
          <PageLink to="record" params={{ zone, name: domain, type }}>
            <Name name={domain} /> {type}
          </PageLink>
          {isKnown && <Kind difference={difference} />}
        </Group>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.drop(`${domain} ${type}`)} onClick={onDrop}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
      {difference &&
        linesOf(difference).map(({ sign, text }) => (
          <Text
            key={`${sign}${text}`}
            size="sm"
            className="name"
            c={sign === "-" ? "red.8" : sign === "+" ? "teal.8" : "dimmed"}
          >
            {sign} {text}
          </Text>
        ))}
      {message !== undefined && (
        <Text size="sm" c="red" role="alert">
          {message}
        </Text>
      )}
    </Paper>
  );
}

function Kind({ difference }: Pick<Props, "difference">) {
  const [text, color] = !difference
    ? [texts.unchanged, "gray"]
    : difference.before === null
      ? [texts.created, "teal"]
      : difference.after === null
        ? [texts.deleted, "red"]
        : [texts.changed, "blue"];
  return (
    <Badge variant="light" color={color} tt="none" radius="sm">
      {text}
    </Badge>
  );
}

interface DiffLine {
  readonly sign: "+" | "-" | "~";
  readonly text: string;
}

/** The lines that a difference removes, adds and changes. */
function linesOf({ before, after }: Difference): DiffLine[] {
  const [old, next] = [answersOf(before), answersOf(after)];
  const gone = old.filter((text) => !next.includes(text)).map((text) => ({ sign: "-" as const, text }));
  const come = next.filter((text) => !old.includes(text)).map((text) => ({ sign: "+" as const, text }));
  return [...gone, ...come, ...(before && after ? settingsOf(before, after) : [])];
}

const answersOf = (record: ApiRecord | null): string[] =>
  (record?.answers ?? []).map(({ answer, region, meta }) => {
    const group = region === undefined ? "" : ` (${region})`;
    const values = meta && Object.keys(meta).length > 0 ? ` ${JSON.stringify(meta)}` : "";
    return `${answer.join(" ")}${group}${values}`;
  });

function settingsOf(before: ApiRecord, after: ApiRecord): DiffLine[] {
  const isOther = (field: "filters" | "regions" | "meta" | "use_client_subnet" | "link") =>
    JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  const chain = (record: ApiRecord) =>
    (record.filters as { readonly filter: string }[]).map(({ filter }) => filter).join(" > ") || "-";
  return [
    ...(before.ttl === after.ttl ? [] : [{ sign: "~" as const, text: `${texts.ttl} ${before.ttl} → ${after.ttl}` }]),
    ...(isOther("filters")
      ? [{ sign: "~" as const, text: `${texts.filters}: ${chain(before)} → ${chain(after)}` }]
      : []),
    ...(isOther("regions") || isOther("meta") || isOther("use_client_subnet") || isOther("link")
      ? [{ sign: "~" as const, text: texts.other }]
      : []),
  ];
}
