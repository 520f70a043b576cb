/** The head of a page: its title, its acts, and its tabs, of which the address says which is open. */
import { Box, Group, Stack, Tabs, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import type { ApiError } from "../api/client.ts";
import { useAddress } from "./address.ts";
import { useChosenInView } from "./chosen-in-view.ts";
import { ErrorNote, isRefused } from "./error-note.tsx";

interface Props {
  /** The text for the browser's tab, and for the title if there is no `heading`. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** A line below the title. */
  readonly about?: ReactNode;
  /** Buttons; at most one of them primary. */
  readonly acts?: ReactNode;
  /** The refusal of what the page shows. Without the right to it, only the refusal is shown. */
  readonly error?: ApiError | null;
  readonly onRetry?: () => void;
  readonly children?: ReactNode;
}

export function Page({ title, heading, about, acts, error, onRetry, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Fairlead`;
  }, [title]);
  return (
    <Box p={{ base: "sm", sm: "lg" }} maw={1440} mx="auto">
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <Stack gap={2} miw={0}>
          <Title order={1}>{heading ?? title}</Title>
          {about && (
            <Text size="sm" c="dimmed" component="div">
              {about}
            </Text>
          )}
        </Stack>
        {acts && !isRefused(error) && <Group gap="xs">{acts}</Group>}
      </Group>
      <ErrorNote error={error} onRetry={onRetry} />
      {!isRefused(error) && children}
    </Box>
  );
}

export interface Tab {
  readonly name: string;
  readonly text: string;
  readonly panel: () => ReactNode;
}

/** Tabs whose open one is in the address, as `tab`; the first is open otherwise. */
export function PageTabs({ tabs }: { readonly tabs: readonly Tab[] }) {
  const first = tabs[0]?.name ?? "";
  const [name, setName] = useAddress("tab", first);
  const open = tabs.find((tab) => tab.name === name) ?? tabs[0];
  const row = useChosenInView(open?.name ?? "");
  return (
    <Tabs value={open?.name ?? null} onChange={(next) => setName(next ?? first)} keepMounted={false}>
      <Box ref={row} mb="md" style={{ overflowX: "auto", overflowY: "hidden" }}>
        <Tabs.List style={{ flexWrap: "nowrap", minWidth: "max-content" }}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab.name} value={tab.name}>
              {tab.text}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Box>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.name} value={tab.name}>
          {tab.name === open?.name && tab.panel()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
