/** Values of metadata as text; `up` as the state that it is. */
import { Group, Text } from "@mantine/core";
import { visibleOf } from "../../kit/plain.ts";
import { State } from "../../kit/state.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";

const textOfValue = (value: unknown): string =>
  visibleOf(
    typeof value === "string" ? value : Array.isArray(value) && !value.some(isDeep) ? value.join(", ") : json(value),
  );

const isDeep = (value: unknown) => typeof value === "object" && value !== null;
const json = (value: unknown) => JSON.stringify(value) ?? "";

const isUp: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, "1", "true"].map((value) => [value, true] as const),
  ...[false, 0, "0", "false"].map((value) => [value, false] as const),
]);

/** A value of a key. */
export function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const up = name === "up" ? isUp.get(value) : undefined;
  if (up !== undefined) return <State is={up ? "up" : "down"} />;
  return <span className="name">{textOfValue(value)}</span>;
}

/** The values of a table in one line. */
export function Values({ of }: { readonly of: { readonly [key: string]: unknown } }) {
  const entries = Object.entries(of);
  if (entries.length === 0)
    return (
      <Text component="span" inherit c="dimmed">
        {texts.noValues}
      </Text>
    );
  return (
    <Group gap="xs">
      {entries.slice(0, mostInLine).map(([key, value]) => (
        <span key={key}>
          {key !== "up" && <span className="name">{visibleOf(key)} </span>}
          <Value name={key} value={value} />
        </span>
      ))}
      {entries.length > mostInLine && "…"}
    </Group>
  );
}

const mostInLine = 4;
