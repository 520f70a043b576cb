/** One edit of the draft: what goes and what comes. */
import { ActionIcon, Badge, Group, Paper, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ChangeSetEffect } from "../../api/types.ts";
import { PageLink } from "../../app/link.tsx";
import { Diff } from "../../kit/diff.tsx";
import type { Edit } from "../../kit/draft-edits.ts";
import { Name } from "../../kit/name.tsx";
import { recordLines } from "../../kit/record-lines.ts";
import { useKnownTypes } from "../../kit/record-types.ts";
import { changesTexts as texts } from "../../text/changes.ts";

export type Difference = ChangeSetEffect["zones"][number]["records"][number];

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
  const { isText } = useKnownTypes();
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
      {difference && (
        <Diff
          before={recordLines(difference.before, isText(type))}
          after={recordLines(difference.after, isText(type))}
        />
      )}
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
