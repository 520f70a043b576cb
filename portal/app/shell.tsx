/** The frame of every page: the bar, the palette, the keys, and notices about the service. */
import { AppShell, Group, Text, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense } from "react";
import { Loading } from "../kit/loading.tsx";
import { shellTexts as texts } from "../text/shell.ts";
import { ConfirmSession } from "./confirm-session.tsx";
import { DraftButton } from "./draft-button.tsx";
import { Keys } from "./keys.tsx";
import { PageLink } from "./link.tsx";
import { Notices } from "./notices.tsx";
import { openPalette, Palette } from "./palette.tsx";
import classes from "./shell.module.css";
import { UserMenu } from "./user-menu.tsx";

/** The places of the bar; on a phone they are the row at the bottom. */
const places = [
  { to: "zones", text: texts.zones, under: ["/zones", "/newzone", "/deletedzones", "/changes"] },
  { to: "feeds", text: texts.feeds, under: ["/feeds"] },
  { to: "analytics", text: texts.analytics, under: ["/analytics"] },
  { to: "activity", text: texts.activity, under: ["/activity"] },
  { to: "account", text: texts.account, under: ["/account"] },
] as const;

/** The operator's pages, whose place is in the bar only while one of them is open; the row of a phone has no room for it. */
const system = { to: "system", text: texts.system, under: ["/system"] } as const;

export function Shell() {
  return (
    <AppShell header={{ height: 48 }} footer={{ height: { base: 52, sm: 0 } }} padding={0}>
      <a className={classes["skip"]} href="#content">
        {texts.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <PageLink to="dashboard" fw={700} fz="lg" c="bright" underline="never">
            {texts.product}
          </PageLink>
          <Places visibleFrom="sm" />
          <UnstyledButton className={classes["search"]} onClick={openPalette} aria-label={texts.search}>
            <IconSearch size={18} aria-hidden className={classes["glass"]} />
            <Text size="sm" c="dimmed" truncate>
              {texts.search}
            </Text>
            <kbd className={classes["key"]}>/</kbd>
          </UnstyledButton>
          <DraftButton />
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Main id="content" tabIndex={-1}>
        <Notices />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="sm">
        <Places hiddenFrom="sm" />
      </AppShell.Footer>
      <ConfirmSession />
      <Palette />
      <Keys />
    </AppShell>
  );
}

function Places(shown: { readonly visibleFrom?: "sm"; readonly hiddenFrom?: "sm" }) {
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath ?? "/" });
  const isUnder = ({ under }: (typeof places)[number] | typeof system) =>
    under.some((prefix) => String(path).startsWith(prefix));
  return (
    <Group component="nav" aria-label={texts.main} gap={4} h="100%" wrap="nowrap" justify="space-around" {...shown}>
      {[...places, ...(shown.visibleFrom && isUnder(system) ? [system] : [])].map((place) => {
        const { to, text } = place;
        const isHere = isUnder(place);
        return (
          <PageLink
            key={to}
            to={to}
            className={classes["place"] ?? ""}
            mod={{ here: isHere }}
            underline="never"
            {...(isHere ? { "aria-current": "page" } : {})}
          >
            {text}
          </PageLink>
        );
      })}
    </Group>
  );
}
