/** Two people's edits of one record side by side; one of the two is kept. */
import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { visibleOf } from "../../kit/plain.ts";
import { recordTexts as texts } from "../../text/record.ts";
import { bodyOf, type Edited } from "./model.ts";

/** A value as JSON in lines. */
const linesOf = (value: unknown) => (JSON.stringify(value, undefined, 1) ?? "").split("\n").map(visibleOf).join("\n");

interface Props {
  readonly mine: Edited;
  readonly theirs: Edited;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}

export function Conflict({ mine, theirs, onKeepMine, onTakeTheirs }: Props) {
  const [left, right] = [mine, theirs].map((one) => bodyOf(one) as { readonly [field: string]: unknown });
  const fields = Object.keys({ ...left, ...right }).filter(
    (field) => JSON.stringify(left?.[field]) !== JSON.stringify(right?.[field]),
  );
  return (
    <Alert color="orange" title={texts.conflictTitle} mb="md" role="alert">
      <Stack gap="xs">
        <Text size="sm">{texts.conflictHint}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {[
            { title: texts.mine, body: left },
            { title: texts.theirs, body: right },
          ].map(({ title, body }) => (
            <div key={title}>
              <Text fw={600} size="sm">
                {title}
              </Text>
              {fields.map((field) => (
                <Code key={field} block>
                  {field}: {linesOf(body?.[field])}
                </Code>
              ))}
            </div>
          ))}
        </SimpleGrid>
        <Group>
          <Button variant="default" onClick={onTakeTheirs}>
            {texts.takeTheirs}
          </Button>
          <Button color="orange" onClick={onKeepMine}>
            {texts.keepMine}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
