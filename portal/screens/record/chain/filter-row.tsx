/** One filter of a chain: a handle, its number and words, a switch, and its settings. */
import type { DraggableProvided } from "@hello-pangea/dnd";
import { ActionIcon, Collapse, Group, Paper, Switch, Text } from "@mantine/core";
import { IconGripVertical, IconSettings, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { FilterTypes } from "../../../kit/catalogues.ts";
import { Fields } from "../../../kit/fields.tsx";
import { plainOf } from "../../../kit/plain.ts";
import { recordTexts as texts } from "../../../text/record.ts";
import type { Filter } from "../model.ts";
import { quietUnless } from "../quiet.ts";

interface Props {
  readonly at: number;
  readonly filter: Filter;
  readonly type: FilterTypes[string] | undefined;
  readonly drag: DraggableProvided;
  readonly isLit: boolean;
  readonly onLit: (at: number | undefined) => void;
  readonly warnings: readonly string[];
  readonly messageOf: (field: string) => string | undefined;
  /** Called without a filter when it is removed. */
  readonly onChange: (filter?: Filter) => void;
}

export function FilterRow({ at, filter, type, drag, isLit, onLit, warnings, messageOf, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const name = plainOf(type?.shortdesc ?? filter.filter);
  const listing = type?.config ?? {};
  const hasSettings = Object.keys(listing).length > 0;
  const message = messageOf(`filters[${at}]`);
  const quiet = quietUnless(isLit);
  return (
    <Paper
      withBorder
      p={6}
      mb={4}
      ref={drag.innerRef}
      {...drag.draggableProps}
      onMouseEnter={() => onLit(at)}
      onMouseLeave={() => onLit(undefined)}
      bg={isLit ? "var(--mantine-primary-color-light)" : undefined}
    >
      <Group gap="xs" wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          component="div"
          {...drag.dragHandleProps}
          aria-label={texts.moveFilter(name)}
        >
          <IconGripVertical size={16} />
        </ActionIcon>
        <Text size="sm" flex={1} miw={0} td={filter.disabled ? "line-through" : undefined}>
          <Text span {...quiet}>
            {at + 1}
          </Text>{" "}
          {name}{" "}
          <Text span size="xs" {...quiet}>
            {filter.filter}
          </Text>
        </Text>
        {hasSettings && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${texts.settings}: ${name}`}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <IconSettings size={16} />
          </ActionIcon>
        )}
        <Switch
          size="xs"
          aria-label={texts.filterOn(name)}
          checked={filter.disabled !== true}
          onChange={(event) => onChange({ ...filter, disabled: !event.currentTarget.checked })}
        />
        <ActionIcon variant="subtle" color="gray" aria-label={texts.removeFilter(name)} onClick={() => onChange()}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      {[...warnings, ...(message === undefined ? [] : [message])].map((text) => (
        <Text
          key={text}
          size="xs"
          c={`var(--mantine-color-${text === message ? "error" : "yellow-light-color"})`}
          ms={36}
          role="note"
        >
          {text}
        </Text>
      ))}
      {hasSettings && (
        <Collapse expanded={isOpen || message !== undefined}>
          <div style={{ paddingInlineStart: 36, paddingTop: 6 }}>
            <Fields
              listing={listing}
              values={filter.config ?? {}}
              onChange={(config) => onChange({ ...filter, config })}
              messageOf={(field) => messageOf(`filters[${at}].config.${field}`)}
            />
          </div>
        </Collapse>
      )}
    </Paper>
  );
}
