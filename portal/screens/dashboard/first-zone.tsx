/** The ways to a first zone, on the dashboard and in the list while there is none. */
import { Button, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useOpen } from "../../app/link.tsx";
import { Empty } from "../../kit/empty.tsx";
import { dashboardTexts as texts } from "../../text/dashboard.ts";

export function FirstZone() {
  const open = useOpen();
  return (
    <Stack>
      <Empty title={texts.firstTitle} text={texts.firstText.map((line) => <p key={line}>{line}</p>)} />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {Object.entries(texts.ways).map(([kind, [title, about, act]], at) => (
          <Paper withBorder p="md" key={kind}>
            <Stack align="flex-start" h="100%" justify="space-between">
              <div>
                <Title order={3}>{title}</Title>
                <Text size="sm">{about}</Text>
              </div>
              <Button
                variant={at === 0 ? "filled" : "default"}
                onClick={() => open({ to: "newZone", search: { kind } })}
              >
                {act}
              </Button>
            </Stack>
          </Paper>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
