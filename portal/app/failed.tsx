/** The pages for an address that does not exist, and for a failure. */
import { Button, Code, Stack, Text, Title } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { shellTexts as texts } from "../text/shell.ts";

export const NotFound = () => (
  <Stack p="xl">
    <Title order={1}>{texts.notFound}</Title>
  </Stack>
);

export function Failed({ error }: ErrorComponentProps) {
  return (
    <Stack p="xl" align="flex-start" role="alert">
      <Title order={1}>{texts.failed}</Title>
      <Text>{texts.failedHint}</Text>
      <Code>{error instanceof Error ? error.message : String(error)}</Code>
      <Button onClick={() => location.reload()}>{texts.reload}</Button>
    </Stack>
  );
}
