/** A part of the dashboard: its title, and the page that has more. */
import { Group, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  readonly title: string;
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

export const Part = ({ title, more, children }: Props) => (
  <section>
    <Group justify="space-between" mb="xs">
      <Title order={2}>{title}</Title>
      {more}
    </Group>
    {children}
  </section>
);
