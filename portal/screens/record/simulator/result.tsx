/** The client's reply: its answers, how often each is drawn, and for whom it holds. */
import { Group, Progress, Stack, Text } from "@mantine/core";
import { shownOf } from "../../../kit/plain.ts";
import { recordTexts as texts } from "../../../text/record.ts";
import type { Explanation } from "./use-simulation.ts";

const percent = (share: number) =>
  new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 }).format(share);

interface Props {
  readonly explanation: Explanation;
  readonly draws: number;
  /** Queries for the record in the last day; undefined if they are not known. */
  readonly queries: number | undefined;
}

export function Result({ explanation, draws, queries }: Props) {
  const { rcode, ecs, draws: counted = [] } = explanation;
  return (
    <Stack gap={6} mb="sm" role="group" aria-label={texts.answer}>
      {rcode !== "NOERROR" && (
        <Text size="sm">
          {texts.rcode} {rcode}.
        </Text>
      )}
      {counted.map(({ answer, share }) => (
        <div key={answer.join("\n")}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm" fw={600} className="name">
              {shownOf(answer.join(", ")) || texts.nothingLeft}
            </Text>
            <Text size="sm">
              {percent(share)}
              {queries !== undefined && ` · ${texts.load(Math.round(share * queries))}`}
            </Text>
          </Group>
          <Progress value={share * 100} size="sm" aria-label={`${shownOf(answer.join(", "))}: ${percent(share)}`} />
        </div>
      ))}
      <Group gap="md">
        {counted.length > 1 && (
          <Text size="xs" c="dimmed">
            {texts.draws(draws)}
          </Text>
        )}
        {queries !== undefined && (
          <Text size="xs" c="dimmed">
            {texts.loadHint}
          </Text>
        )}
        {ecs && (
          <Text size="xs" c="dimmed">
            {texts.holdsFor(`${ecs.subnet.split("/")[0]}/${ecs.scope}`)}
          </Text>
        )}
      </Group>
    </Stack>
  );
}
