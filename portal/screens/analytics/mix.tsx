/** Answered queries by type, by RCODE and by transport, side by side. */
import { SimpleGrid, Text } from "@mantine/core";
import type { Reply } from "../../api/client.ts";
import { analyticsTexts as texts } from "../../text/analytics.ts";
import { Breakdown } from "./breakdown.tsx";

export function Mix({ mix }: { readonly mix: Reply<"GET /v1/stats/mix">["data"] | undefined }) {
  if (!mix || mix.queries === 0) return null;
  const { queries: total, types, rcodes, transports } = mix;
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="lg" verticalSpacing={0}>
        <Breakdown
          title={texts.byType}
          head={texts.type}
          parts={types.map(({ type, ...rest }) => ({ name: type, ...rest }))}
          total={total}
        />
        <Breakdown
          title={texts.byRcode}
          head={texts.rcode}
          parts={rcodes.map(({ rcode, ...rest }) => ({ name: rcode, ...rest }))}
          total={total}
        />
        <Breakdown
          title={texts.byTransport}
          head={texts.transport}
          parts={transports.map(({ transport, ...rest }) => ({
            name: texts.transports[transport] ?? transport,
            ...rest,
          }))}
          total={total}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed" mb="lg">
        {texts.mixHint}
      </Text>
    </>
  );
}
