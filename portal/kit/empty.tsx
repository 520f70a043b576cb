/** The text of an empty list: the purpose of the thing, and the first step. */
import { Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  readonly title: string;
  readonly text: ReactNode;
  readonly children?: ReactNode;
}

export const Empty = ({ title, text, children }: Props) => (
  <Paper withBorder p="xl">
    <Stack align="flex-start" maw={640}>
      <Title order={2}>{title}</Title>
      <Text size="sm" component="div">
        {text}
      </Text>
      {children}
    </Stack>
  </Paper>
);
