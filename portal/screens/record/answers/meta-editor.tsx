/** The metadata of an answer, a group or the record; values that an answer inherits stand in grey with their place. */
import { Button, Group, Menu, ScrollArea, Stack, Text } from "@mantine/core";
import { useMetaTypes } from "../../../kit/catalogues.ts";
import { plainOf, shownOf } from "../../../kit/plain.ts";
import { recordTexts as texts } from "../../../text/record.ts";
import { feedOf, type Meta } from "../model.ts";
import { initialOf, MetaValue } from "./meta-value.tsx";

/** Metadata of a higher level, which an answer has unless it sets its own. */
export interface Inherited {
  readonly from: string;
  readonly meta: Meta;
}

interface Props {
  /** The owner of the metadata, for screen readers. */
  readonly of: string;
  readonly meta: Meta;
  readonly inherited?: readonly Inherited[];
  readonly messageOf: (key: string) => string | undefined;
  readonly onChange: (meta: Meta) => void;
}

export function MetaEditor({ of, meta, inherited = [], messageOf, onChange }: Props) {
  const types = useMetaTypes();
  const keys = Object.keys(meta);
  const above = inherited.flatMap(({ from, meta: values }, at) =>
    Object.entries(values)
      .filter(([key]) => !(key in meta) && !inherited.slice(0, at).some((nearer) => key in nearer.meta))
      .map(([key, value]) => ({ key, value, from })),
  );
  const remove = (key: string) => {
    const { [key]: _, ...others } = meta;
    onChange(others);
  };
  return (
    <Stack gap={6}>
      {keys.map((key) => (
        <MetaValue
          key={key}
          name={key}
          type={types[key]}
          value={meta[key]}
          error={messageOf(key)}
          onChange={(value) => onChange({ ...meta, [key]: value })}
          onRemove={() => remove(key)}
        />
      ))}
      <Group gap="xs">
        {above.map(({ key, value, from }) => (
          <Text key={key} size="xs" c="dimmed">
            {key} {feedOf(value) === undefined ? shownOf(JSON.stringify(value)) : texts.feed} ({texts.inherited(from)})
          </Text>
        ))}
        <AddKey
          of={of}
          types={types}
          known={keys}
          onAdd={(key) => onChange({ ...meta, [key]: initialOf(types[key]) })}
        />
      </Group>
    </Stack>
  );
}

interface AddProps {
  readonly of: string;
  readonly types: ReturnType<typeof useMetaTypes>;
  readonly known: readonly string[];
  readonly onAdd: (key: string) => void;
}

function AddKey({ of, types, known, onAdd }: AddProps) {
  const categories = [...new Set(Object.values(types).map(({ category }) => category))];
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="subtle" size="compact-xs" aria-label={`${of}: ${texts.addMeta}`}>
          + {texts.meta.toLowerCase()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={320}>
          {categories.map((category) => (
            <div key={category}>
              <Menu.Label>{category.replaceAll("_", " ")}</Menu.Label>
              {Object.entries(types)
                .filter(([key, type]) => type.category === category && !known.includes(key))
                .map(([key, type]) => (
                  <Menu.Item key={key} onClick={() => onAdd(key)}>
                    {plainOf(type.shortdesc)}{" "}
                    <Text span size="xs" c="dimmed">
                      {key}
                    </Text>
                  </Menu.Item>
                ))}
            </div>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
