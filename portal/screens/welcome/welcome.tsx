/** The first page of the first user: a password, and three ways to something that DNS answers. */
import { Button, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useOpen } from "../../app/link.tsx";
import { useWrite } from "../../kit/api.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Page } from "../../kit/page.tsx";
import { welcomeTexts as texts } from "../../text/welcome.ts";
import { Password } from "../account/security/password.tsx";

export function Screen() {
  const open = useOpen();
  const demo = useWrite("PUT /v1/demo", ["GET /v1/"]);
  const loadDemo = () =>
    demo.mutate({ body: {} }, { onSuccess: ({ data: { zone } }) => open({ to: "zone", params: { zone } }) });
  return (
    <Page title={texts.title} about={texts.about}>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Paper withBorder p="lg">
          <Password />
        </Paper>
        <Stack>
          <Way title={texts.zoneTitle} hint={texts.zoneHint}>
            <Button onClick={() => open({ to: "newZone" })}>{texts.zone}</Button>
          </Way>
          <Way title={texts.demoTitle} hint={texts.demoHint}>
            <Button variant="default" loading={demo.isPending} onClick={loadDemo}>
              {texts.demo}
            </Button>
            <ErrorNote error={demo.error} />
          </Way>
        </Stack>
      </SimpleGrid>
    </Page>
  );
}

interface WayProps {
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}

const Way = ({ title, hint, children }: WayProps) => (
  <Paper withBorder p="lg">
    <Stack align="flex-start" gap="xs">
      <Title order={2}>{title}</Title>
      <Text size="sm">{hint}</Text>
      {children}
    </Stack>
  </Paper>
);
