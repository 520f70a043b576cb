/** The queries for the zone as they come: some of them, with a filter and a pause. */
import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { countryName } from "../../../kit/countries.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Name } from "../../../kit/name.tsx";
import { shownOf } from "../../../kit/plain.ts";
import { relativeName } from "../../../kit/relative.ts";
import { ScrollTable } from "../../../kit/scroll-table.tsx";
import { clockTime } from "../../../kit/time.tsx";
import { statisticsTexts as texts } from "../../../text/zone-statistics.ts";
import { useTail } from "./use-tail.ts";

/** Rows in view. */
const mostShown = 100;

export function Tail({ zone }: { readonly zone: string }) {
  const [isWatching, setWatching] = useState(false);
  const [filter, setFilter] = useState("");
  const { seen, error } = useTail(zone, isWatching);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = seen
    .map(({ name, rcode, transport, client, country, asn, ...rest }) => ({
      ...{ name: relativeName(name, zone), rcode: rcode ?? texts.noReply, transport: transport.toUpperCase() },
      from: [client, country ? countryName(country) : "", asn === null ? "" : `AS${asn}`].filter(Boolean).join(", "),
      ...rest,
    }))
    .filter((row) => {
      const text = [row.name, row.type, row.rcode, row.transport, row.from].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .slice(0, mostShown);
  return (
    <Stack gap="xs">
      <Title order={2}>{texts.tail}</Title>
      <Group gap="xs">
        <Button size="compact-sm" variant={isWatching ? "default" : "filled"} onClick={() => setWatching(!isWatching)}>
          {isWatching ? texts.pause : texts.watch}
        </Button>
        {seen.length > 0 && (
          <TextInput
            size="xs"
            aria-label={texts.tailFilter}
            placeholder={texts.tailFilter}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
        )}
        <Text size="xs" c="dimmed">
          {isWatching && seen.length === 0 ? texts.tailWaits : texts.tailHint}
        </Text>
      </Group>
      <ErrorNote error={error} />
      {seen.length > 0 && (
        <ScrollTable
          label={texts.tail}
          heads={texts.tailHeads}
          rows={rows.map(({ id, at, name, type, rcode, transport, from }) => ({
            id,
            cells: [
              clockTime(at / 1000),
              <Name key="name" name={shownOf(name)} />,
              ...[type, rcode, transport],
              <span key="from" className="name">
                {from}
              </span>,
            ],
          }))}
        />
      )}
    </Stack>
  );
}
