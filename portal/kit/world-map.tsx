/** A map of the world whose countries are coloured by a group; a click or Enter chooses a country. */
import { Box, ColorSwatch, Group, Text } from "@mantine/core";
import { countryName } from "./countries.ts";
import { outlines, size } from "./world.ts";
import classes from "./world-map.module.css";

/** Colours that differ in lightness as well, so that they are told apart without their hue. */
const colours = ["#1788a2", "#f08c00", "#6741d9", "#74b816", "#e8590c", "#1864ab", "#c2255c", "#868e96"] as const;

interface Props {
  readonly label: string;
  /** The group of each country, by code. */
  readonly groups: ReadonlyMap<string, string>;
  readonly chosen: string;
  readonly onChoose: (code: string) => void;
}

export function WorldMap({ label, groups, chosen, onChoose }: Props) {
  const names = countsOf(groups);
  const colourOf = (group: string | undefined) => {
    const at = group === undefined ? -1 : names.findIndex(([name]) => name === group);
    return at < 0 ? "transparent" : colours[Math.min(at, colours.length - 1)];
  };
  return (
    <Box>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} width="100%" role="img" aria-label={label}>
        {outlines.map(({ code, name, path }) => {
          const group = code === undefined ? undefined : groups.get(code);
          const text = `${code === undefined ? name : countryName(code)}${group === undefined ? "" : `: ${group}`}`;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: a country list beside the map does the same by keyboard
            <path
              key={name}
              d={path}
              fill={colourOf(group)}
              className={classes["country"]}
              data-chosen={code === chosen && code !== "" ? "" : undefined}
              onClick={() => code !== undefined && onChoose(code)}
            >
              <title>{text}</title>
            </path>
          );
        })}
      </svg>
      <Group gap="md" mt={4}>
        {names.map(([name, count]) => (
          <Group key={name} gap={6} wrap="nowrap">
            <ColorSwatch color={colourOf(name) ?? "transparent"} size={12} withShadow={false} />
            <Text size="xs" className="name">
              {name} ({count})
            </Text>
          </Group>
        ))}
      </Group>
    </Box>
  );
}

/** The groups with the number of their countries, the largest first. */
function countsOf(groups: ReadonlyMap<string, string>): [string, number][] {
  const counts = new Map<string, number>();
  for (const group of groups.values()) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
