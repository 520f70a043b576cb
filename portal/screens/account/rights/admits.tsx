/** The allow lists that apply, and whether each lets an address in. All of them have to. */
import { Group, Stack, Text } from "@mantine/core";
import type { EffectiveRights } from "../../../api/types.ts";
import { State } from "../../../kit/state.tsx";
import { rightsTexts as texts } from "../../../text/rights.ts";

interface Props {
  readonly lists: EffectiveRights["allow_lists"];
  /** Whether an address was asked for. */
  readonly isAsked: boolean;
}

export function Admits({ lists, isAsked }: Props) {
  if (lists.length === 0) return <Text size="sm">{texts.noLists}</Text>;
  return (
    <Stack gap={4}>
      {lists.map(({ level, values, admits }) => (
        <Group key={level} gap="xs">
          <Text size="sm">
            {texts.levels[level]}:{" "}
            <Text span className="name">
              {values.length === 0 ? texts.empty : values.join(", ")}
            </Text>
          </Text>
          {isAsked && admits !== null && (
            <State is={admits ? "ok" : "refused"} text={admits ? texts.getsIn : texts.keptOut} />
          )}
        </Group>
      ))}
    </Stack>
  );
}
