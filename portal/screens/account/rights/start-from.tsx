/** Common sets of rights, from which those of something new begin. */
import { Button, Group, Text } from "@mantine/core";
import { rightsTexts as texts } from "../../../text/rights.ts";
import { type Given, nothingGiven, withField } from "./given.ts";
import type { Flag } from "./groups.ts";

interface Props {
  readonly flags: readonly Flag[];
  readonly onChange: (given: Given) => void;
}

const deny: Given = { ...nothingGiven, denies: true };

/** Zones and records, and nothing else. */
export const zonesOnly: Given = { denies: true, groups: { dns: { view_zones: true, manage_zones: true } } };

export function StartFrom({ flags, onChange }: Props) {
  const reading = flags
    .filter(({ name }) => name.startsWith("view_"))
    .reduce((given, { group, name }) => withField(given, group, name, true), deny);
  const starts = [
    [texts.starts.zones, zonesOnly],
    [texts.starts.reading, reading],
    [texts.starts.all, nothingGiven],
    [texts.starts.nothing, deny],
  ] as const;
  return (
    <Group gap="xs" role="group" aria-label={texts.startFrom}>
      <Text size="sm">{texts.startFrom}</Text>
      {starts.map(([label, given]) => (
        <Button key={label} size="compact-sm" variant="default" onClick={() => onChange(given)}>
          {label}
        </Button>
      ))}
    </Group>
  );
}
