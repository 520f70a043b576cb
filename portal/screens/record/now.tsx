/** The present answers of DNS: those of the stored record, with the number of countries that get each. */
import { Group, Paper, Text, Tooltip } from "@mantine/core";
import { countryName } from "../../kit/countries.ts";
import { shownOf } from "../../kit/plain.ts";
import { recordTexts as texts } from "../../text/record.ts";
import { mostFrequent } from "./simulator/most-frequent.ts";
import { useSimulation } from "./simulator/use-simulation.ts";

interface Props {
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
  readonly isSteered: boolean;
}

const anybody = { address: "", country: "", subdivision: "", asn: "", feeds: {}, later: "" };
/** Countries that a hint names. */
const named = 30;

export function Now({ isSteered, ...record }: Props) {
  const { data } = useSimulation({
    ...record,
    body: undefined,
    client: anybody,
    part: "now",
    matrix: isSteered,
    draws: isSteered ? 20 : 1,
  });
  const byAnswer = new Map<string, string[]>();
  for (const [country, answer] of mostFrequent(data?.matrix))
    byAnswer.set(answer, [...(byAnswer.get(answer) ?? []), country]);
  const groups = [...byAnswer].sort(([, a], [, b]) => b.length - a.length);
  const all = shownOf(data?.draws?.[0]?.answer.join(", ") ?? "");
  return (
    <Paper withBorder p="xs" mb="md" component="section" aria-label={texts.nowFor}>
      <Group gap="2px var(--mantine-spacing-xl)" mih={22}>
        <Text size="xs" fw={700} c="dimmed" tt="uppercase">
          {texts.now}
        </Text>
        {groups.length === 0 && (
          <Text size="sm" className="name">
            {all || data?.rcode}
          </Text>
        )}
        {groups.map(([answer, countries]) => (
          <Tooltip key={answer} multiline maw={420} label={countries.slice(0, named).map(countryName).join(", ")}>
            <Text size="sm">
              <span className="name">{answer}</span>{" "}
              <Text span c="dimmed" size="xs">
                {groups.length === 1 ? texts.anybody : texts.countries(countries.length)}
              </Text>
            </Text>
          </Tooltip>
        ))}
      </Group>
      {isSteered && data && (
        <Text size="xs" c="dimmed">
          {texts.nowHint} {data.client["has_geo_files"] === false && texts.noGeo}
        </Text>
      )}
    </Paper>
  );
}
