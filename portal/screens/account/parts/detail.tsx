/** The head of one user, key or team: the way back, its name, and its acts. */
import { Group, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { PageLink } from "../../../app/link.tsx";
import { accountTexts as texts } from "../../../text/account.ts";

interface Props {
  readonly page: string;
  readonly title: ReactNode;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}

export const Detail = ({ page, title, acts, children }: Props) => (
  <Stack gap="sm">
    <PageLink to="accountPage" params={{ page }} fz="sm">
      ← {texts.back}
    </PageLink>
    <Group justify="space-between" gap="sm">
      <Title order={2} style={{ overflowWrap: "anywhere" }}>
        {title}
      </Title>
      {acts && <Group gap="xs">{acts}</Group>}
    </Group>
    {children}
  </Stack>
);
