/** A group of settings with its title. */
import { Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface Props {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, about, children }: Props) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {about && (
            <Text size="sm" c="dimmed" component="div">
              {about}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}
