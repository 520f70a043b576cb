/** The first steps of the first user, whom the link of a start has signed in: a password, and a zone. */
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { PageLink, useOpen } from "../../app/link.tsx";
import { type SessionUser, useSession } from "../../app/session.tsx";
import { Page } from "../../kit/page.tsx";
import { State } from "../../kit/state.tsx";
import { welcomeTexts as texts } from "../../text/welcome.ts";
import { FirstPassword } from "./first-password.tsx";

export function Screen() {
  const { user } = useSession();
  const open = useOpen();
  const { has_password = true } = user as SessionUser & { readonly has_password?: boolean };
  return (
    <Page title={texts.title} about={texts.signedIn(user.username)}>
      <Stack gap="xl" maw={480}>
        <Stack gap="sm">
          <Title order={2}>{texts.passwordTitle}</Title>
          {has_password ? <State is="ok" text={texts.isSet} /> : <FirstPassword />}
        </Stack>
        <Stack gap="sm">
          <Title order={2}>{texts.zoneTitle}</Title>
          <Text size="sm">{texts.zoneHint}</Text>
          <Group>
            <Button variant={has_password ? "filled" : "default"} onClick={() => open({ to: "newZone" })}>
              {texts.newZone}
            </Button>
            <PageLink to="dashboard" fz="sm">
              {texts.later}
            </PageLink>
          </Group>
        </Stack>
      </Stack>
    </Page>
  );
}
