/** The state of a zone that comes from another server: its serial, the last transfers, and another one now. */
import { Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import type { Zone } from "../../../api/types.ts";
import { useRead, useWrite } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { State } from "../../../kit/state.tsx";
import { Time } from "../../../kit/time.tsx";
import { transfersTexts as texts } from "../../../text/zone-transfers.ts";
import { zonesTexts } from "../../../text/zones.ts";
import { serialOf, stateOf } from "../../zones/columns.tsx";
import { Section } from "../settings/section.tsx";
import { statusOf } from "./read.ts";

/** Milliseconds between two looks while the page is open. */
const every = 5000;

export function Serials({ zone: given }: { readonly zone: Zone }) {
  const path = { zone: given.zone };
  const { data } = useRead("GET /v1/zones/{zone}", { path, query: { records: false }, refetchInterval: every });
  const zone = data?.data ?? given;
  const { status, error, lastTry, lastNews, expiresAt, isExpired } = statusOf(zone);
  const write = useWrite("POST /v1/zones/{zone}", ["GET /v1/zones"]);
  const refresh = () =>
    write.mutate(
      { path, query: { refresh: true }, body: {} },
      { onSuccess: () => notifications.show({ message: texts.refreshed, autoClose: 4000 }) },
    );
  return (
    <Section title={texts.serials}>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Fact name={texts.here}>{serialOf(zone) ?? zonesTexts.noSerial}</Fact>
        <Fact name={texts.source}>
          {status === "ok" ? (
            <State is="ok" />
          ) : status === "error" ? (
            <State is="down" text={texts.failed} />
          ) : (
            <State is="waiting" text={texts.pending} />
          )}
        </Fact>
        <Fact name={texts.lastNews}>
          <Time at={lastNews} />
        </Fact>
        <Fact name={texts.lastTry}>
          <Time at={lastTry} />
        </Fact>
        {expiresAt > 0 && (
          <Fact name={isExpired ? texts.expiredAt : texts.expiresAt}>
            <Time at={expiresAt} />
          </Fact>
        )}
      </SimpleGrid>
      {isExpired && !zone.disabled && <State is="down" text={texts.noData(stateOf(zone).text)} />}
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" style={{ overflowWrap: "anywhere" }}>
          {error}
        </Text>
      )}
      <ErrorNote error={write.error} />
      <Group>
        <Button loading={write.isPending} onClick={refresh}>
          {texts.refresh}
        </Button>
      </Group>
    </Section>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <Stack gap={2}>
    <Text size="xs" c="dimmed">
      {name}
    </Text>
    <Text size="sm" component="div">
      {children}
    </Text>
  </Stack>
);
