/** The records that a feed steers, with the answers and groups whose metadata name it. */
import { List, Text, Title } from "@mantine/core";
import type { FeedStatus } from "../../api/types.ts";
import { PageLink } from "../../app/link.tsx";
import { Name } from "../../kit/name.tsx";
import { visibleOf } from "../../kit/plain.ts";
import { feedsTexts as texts } from "../../text/feeds.ts";

type Steered = FeedStatus["steers"][number];

interface Props {
  readonly steers: readonly Steered[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

export const Steers = ({ steers, isCut }: Props) => (
  <div>
    <Title order={3}>{texts.steers}</Title>
    {steers.length === 0 && (
      <Text size="sm" c="dimmed">
        {texts.steersNothing}
      </Text>
    )}
    <List size="sm" listStyleType="none">
      {steers.map(({ zone, domain, type, id, ...places }) => (
        <List.Item key={id}>
          <PageLink to="record" params={{ zone, name: domain, type }}>
            <Name name={domain} />
          </PageLink>{" "}
          {type}
          {": "}
          <span className="name">{placesOf(places).join("; ")}</span>
        </List.Item>
      ))}
    </List>
    {isCut && <Text size="sm">{texts.steersMore}</Text>}
  </div>
);

/** Each place with its keys, such as "192.0.2.1 up, weight". */
function placesOf({ keys, answers, regions }: Pick<Steered, "keys" | "answers" | "regions">): string[] {
  const line = (what: string, names: readonly string[]) => visibleOf(`${what} ${names.join(", ")}`);
  return [
    ...(keys.length > 0 ? [line(texts.wholeRecord, keys)] : []),
    ...answers.map(({ answer, keys: names }) => line(answer.join(" "), names)),
    ...regions.map(({ name, keys: names }) => line(texts.group(name), names)),
  ];
}
