/** The filter chain: dragged by pointer or moved by keys, each filter with a switch and its settings. */
import { DragDropContext, Draggable, Droppable, type DropResult } from "@hello-pangea/dnd";
import { Button, Group, Menu, ScrollArea, Stack, Text, Title } from "@mantine/core";
import { nonce } from "../../../app/theme.ts";
import { type FilterTypes, useFilterTypes } from "../../../kit/catalogues.ts";
import { plainOf } from "../../../kit/plain.ts";
import { recordTexts as texts } from "../../../text/record.ts";
import { type Filter, withAt } from "../model.ts";
import { FilterRow } from "./filter-row.tsx";
import { type TemplateName, templates } from "./templates.ts";

interface Props {
  readonly type: string;
  readonly filters: readonly Filter[];
  /** The warnings of lint by the index of a filter. */
  readonly warningsOf: (at: number) => readonly string[];
  readonly messageOf: (field: string) => string | undefined;
  /** The filter whose step of the simulator is lit. */
  readonly lit: number | undefined;
  readonly onLit: (at: number | undefined) => void;
  readonly onChange: (filters: readonly Filter[]) => void;
}

export function ChainEditor({ type, filters, warningsOf, messageOf, lit, onLit, onChange }: Props) {
  const types = useFilterTypes();
  const onDragEnd = ({ source, destination }: DropResult) => {
    if (!destination) return;
    const next = [...filters];
    const [moved] = next.splice(source.index, 1);
    if (moved) next.splice(destination.index, 0, moved);
    onChange(next);
  };
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2}>{texts.chain}</Title>
        <Templates onChoose={(name) => onChange(templates[name])} />
      </Group>
      {filters.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.chainHint}
        </Text>
      )}
      <DragDropContext onDragEnd={onDragEnd} nonce={nonce}>
        <Droppable droppableId="chain">
          {({ innerRef, droppableProps, placeholder }) => (
            <div ref={innerRef} {...droppableProps}>
              {filters.map((filter, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a filter has no other identity, and may be there twice
                <Draggable key={`${filter.filter}${at}`} draggableId={`${filter.filter}${at}`} index={at}>
                  {(drag) => (
                    <FilterRow
                      at={at}
                      filter={filter}
                      type={types[filter.filter]}
                      drag={drag}
                      isLit={lit === at}
                      onLit={onLit}
                      warnings={warningsOf(at)}
                      messageOf={messageOf}
                      onChange={(next) => onChange(withAt(filters, at, next))}
                    />
                  )}
                </Draggable>
              ))}
              {placeholder}
            </div>
          )}
        </Droppable>
      </DragDropContext>
      <AddFilter type={type} types={types} onAdd={(filter) => onChange([...filters, { filter, config: {} }])} />
    </Stack>
  );
}

function Templates({ onChoose }: { readonly onChoose: (name: TemplateName) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="compact-sm">
          {texts.template}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.templateHint}</Menu.Label>
        {(Object.keys(templates) as TemplateName[]).map((name) => (
          <Menu.Item key={name} onClick={() => onChoose(name)}>
            {texts.templates[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface AddProps {
  readonly type: string;
  readonly types: FilterTypes;
  readonly onAdd: (filter: string) => void;
}

/** All filters of the catalogue that records of this type may have. */
function AddFilter({ type, types, onAdd }: AddProps) {
  const fitting = Object.entries(types).filter(([, { rectypes }]) => rectypes === undefined || rectypes.includes(type));
  return (
    <Menu position="bottom-start" width={360}>
      <Menu.Target>
        <Button variant="default" size="compact-sm" style={{ alignSelf: "flex-start" }}>
          {texts.addFilter}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={360}>
          {fitting.map(([id, { shortdesc }]) => (
            <Menu.Item key={id} onClick={() => onAdd(id)}>
              {plainOf(shortdesc)}{" "}
              <Text span size="xs" c="dimmed">
                {id}
              </Text>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
