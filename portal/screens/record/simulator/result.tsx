/** The client's reply: its answers, how often each is drawn, and for whom it holds. */
import { Group, Progress, Stack, Text } from "@mantine/core";
import { shownOf } from "../../../kit/plain.ts";
import { recordTexts as texts } from "../../../text/record.ts";
import type { Explanation } from "./use-simulation.ts";

const percent = (share: number) =>
  new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 }).format(share);

export function Result({ explanation, draws }: { readonly explanation: Explanation; readonly draws: number }) {
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
            <Text size="sm">{percent(share)}</Text>
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
        {ecs && (
          <Text size="xs" c="dimmed">
            {texts.holdsFor(`${ecs.subnet.split("/")[0]}/${ecs.scope}`)}
          </Text>
        )}
      </Group>
    </Stack>
  );
}
