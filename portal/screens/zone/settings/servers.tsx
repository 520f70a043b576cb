/** The networks and name servers of a zone, and its delegation. */
import { MultiSelect, Stack, Text } from "@mantine/core";
import type { FormEvent } from "react";
import type { Zone } from "../../../api/types.ts";
import { useRead } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { wordOf } from "../../../kit/word.tsx";
import { settingsTexts as texts } from "../../../text/zone-settings.ts";
import { Delegation } from "./delegation.tsx";
import { FormActs } from "./form-acts.tsx";
import { Section } from "./section.tsx";
import { useZoneForm } from "./use-zone-form.ts";

export function Servers({ zone }: { readonly zone: Zone }) {
  const { data } = useRead("GET /v1/networks");
  const form = useZoneForm(zone.zone, "networks", { networks: zone.networks });
  const networks = (data?.data ?? []).map(({ network_id, name }) => ({
    value: String(network_id),
    label: `${name} (${network_id})`,
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save({ networks: form.values.networks });
  };
  const isFixed = zone.link !== null;
  return (
    <Section title={texts.servers} about={texts.serversAbout}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <MultiSelect
            label={wordOf(texts.networks, "networks")}
            data={networks}
            disabled={isFixed}
            value={form.values.networks.map(String)}
            error={form.messageFor("networks")}
            onChange={(ids) => form.set({ networks: ids.map(Number) })}
          />
          <ErrorNote error={form.error} />
          <FormActs
            isChanged={form.isChanged}
            isPending={form.isPending}
            what={texts.networksObject}
            onReset={form.reset}
          />
        </Stack>
      </form>
      {zone.dns_servers.length === 0 ? <Text size="sm">{texts.noServers}</Text> : <Delegation zone={zone.zone} />}
    </Section>
  );
}
