/** "What if this feed says down", or nothing any more: assumptions about the feeds that the record reads. */
import { Group, NativeSelect, SegmentedControl, Stack, Text } from "@mantine/core";
import { useFeeds } from "../../../kit/catalogues.ts";
import { visibleOf } from "../../../kit/plain.ts";
import { duration } from "../../../kit/time.tsx";
import { recordTexts as texts } from "../../../text/record.ts";
import type { Client } from "./use-simulation.ts";

interface Props {
  readonly feeds: readonly string[];
  readonly client: Client;
  readonly onChange: (assumed: Client["feeds"]) => void;
  readonly onLater: (seconds: string) => void;
}

/** Seconds without a push. */
const silences = [60, 300, 3600, 86_400];

export function Assumptions({ feeds, client, onChange, onLater }: Props) {
  const { feeds: assumed, later } = client;
  const known = useFeeds();
  if (feeds.length === 0) return null;
  const set = (id: string, state: string) => {
    const { [id]: _, ...others } = assumed;
    onChange(state === "" ? others : { ...others, [id]: { up: state === "up" } });
  };
  return (
    <Stack gap={4}>
      <Text size="xs" fw={500}>
        {texts.assume}
      </Text>
      {feeds.map((id) => {
        const name = visibleOf(known.find((feed) => feed.id === id)?.name ?? id);
        const { [id]: one } = assumed;
        return (
          <Group key={id} gap="xs">
            <Text size="xs" className="name" miw={80}>
              {name}
            </Text>
            <SegmentedControl
              size="xs"
              aria-label={`${texts.assume}: ${name}`}
              value={one === undefined ? "" : one["up"] === true ? "up" : "down"}
              onChange={(state) => set(id, state)}
              data={[
                { value: "", label: texts.noAssumption },
                { value: "up", label: texts.assumeUp },
                { value: "down", label: texts.assumeDown },
              ]}
            />
          </Group>
        );
      })}
      <NativeSelect
        size="xs"
        label={texts.silence}
        value={later}
        onChange={(event) => onLater(event.currentTarget.value)}
        data={[
          { value: "", label: texts.noSilence },
          ...silences.map((seconds) => ({ value: String(seconds), label: texts.silentFor(duration(seconds)) })),
        ]}
      />
    </Stack>
  );
}
