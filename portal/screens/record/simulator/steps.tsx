/** The steps of the chain: after each filter the answers that are left, and those that it struck out with the reason. */
import { Box, Group, Stack, Text } from "@mantine/core";
import { useFilterTypes } from "../../../kit/catalogues.ts";
import { plainOf, shownOf } from "../../../kit/plain.ts";
import { duration } from "../../../kit/time.tsx";
import { recordTexts as texts } from "../../../text/record.ts";
import { quietUnless } from "../quiet.ts";
import type { Step } from "./use-simulation.ts";

interface Props {
  readonly step: Step;
  readonly lit: number | undefined;
  readonly onLit: (at: number | undefined) => void;
}

type Filter = Step["filters"][number];
type Shown = Filter["before"][number];

export function Steps({ step, lit, onLit }: Props) {
  const types = useFilterTypes();
  const { filters } = step;
  if (filters.length === 0) return null;
  const textOf = (shown: Shown) => answerText(step, shown);
  return (
    <Stack gap={2} component="ol" m={0} p={0} aria-label={`${texts.steps}: ${step.record ?? step.name}`}>
      <Box component="li" className="plain">
        <Row label={texts.into} answers={(filters[0]?.before ?? []).map(textOf)} />
      </Box>
      {filters.map((filter, at) => (
        <Box
          component="li"
          className="plain"
          // biome-ignore lint/suspicious/noArrayIndexKey: a filter may be in a chain twice
          key={at}
          onMouseEnter={() => onLit(at)}
          onMouseLeave={() => onLit(undefined)}
          bg={lit === at ? "var(--mantine-primary-color-light)" : undefined}
        >
          <Row
            label={plainOf(types[filter.filter]?.shortdesc ?? filter.filter)}
            answers={filter.after.map(textOf)}
            note={filter.acts ? undefined : texts.noEffect}
            isLit={lit === at}
          />
          {filter.left.map(({ answer, reason }) => (
            <Group key={String(answer)} gap="xs" ms="md" align="baseline">
              <Text size="xs" className="name struck" component="del">
                {textOf(answer)}
              </Text>
              <Text size="xs" {...quietUnless(lit === at)}>
                {[reason, ...sourcesOf(filter, answer)].join(", ")}
              </Text>
            </Group>
          ))}
        </Box>
      ))}
    </Stack>
  );
}

interface RowProps {
  readonly label: string;
  readonly answers: readonly string[];
  readonly note?: string | undefined;
  readonly isLit?: boolean;
}

function Row({ label, answers, note, isLit = false }: RowProps) {
  return (
    <Group gap="xs" align="baseline">
      <Text size="xs" {...quietUnless(isLit)} w={170}>
        {label}
      </Text>
      <Text size="xs" className="name" flex={1}>
        {answers.length === 0 ? texts.nothingLeft : answers.join("  ")}
      </Text>
      {note !== undefined && (
        <Text size="xs" {...quietUnless(isLit)}>
          {note}
        </Text>
      )}
    </Group>
  );
}

/** An answer with its group; an answer that a filter made is its address. */
function answerText({ answers }: Step, shown: Shown): string {
  const found =
    typeof shown === "number" ? (answers[shown] as { answer?: unknown; region?: unknown } | undefined) : undefined;
  if (found === undefined) return String(shown);
  const text = Array.isArray(found.answer) ? found.answer.join(" ") : String(found.answer);
  return shownOf(typeof found.region === "string" ? `${found.region} ${text}` : text);
}

/** Where the values that the filter read of an answer come from, and how old they are. */
function sourcesOf({ values }: Filter, answer: Shown): string[] {
  return values
    .filter((value) => value.answer === answer)
    .map(({ key, feed, age, origin }) => {
      const what = feed === null ? [] : [`${key}: ${texts.feed.toLowerCase()}`];
      const how = origin === "assumed" ? [texts.assumed] : age === null ? [] : [texts.age(duration(age))];
      return [...what, ...how].join(", ");
    })
    .filter((text) => text !== "");
}
