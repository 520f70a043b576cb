/** The networks and name servers of a zone, and the delegation to set at its parent. */
import { Code, Group, MultiSelect, Stack, Text, Title } from "@mantine/core";
import type { FormEvent } from "react";
import type { Zone } from "../../../api/types.ts";
import { useRead } from "../../../kit/api.ts";
import { Copy } from "../../../kit/copy-as.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Name } from "../../../kit/name.tsx";
import { wordOf } from "../../../kit/word.tsx";
import { settingsTexts as texts } from "../../../text/zone-settings.ts";
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
      {zone.dns_servers.length === 0 ? (
        <Text size="sm">{texts.noServers}</Text>
      ) : (
        <Delegation zone={zone.zone} servers={zone.dns_servers} />
      )}
    </Section>
  );
}

interface DelegationProps {
  readonly zone: string;
  readonly servers: readonly string[];
}

/** The seconds for which parents commonly keep a delegation. */
const parentTtl = 86_400;

function Delegation({ zone, servers }: DelegationProps) {
  const [, ...rest] = zone.split(".");
  const lines = servers.map((server) => `${zone}. ${parentTtl} IN NS ${server}.`).join("\n");
  const isInside = servers.some((server) => server.endsWith(`.${zone}`));
  return (
    <Stack gap="xs">
      <Title order={3}>{texts.delegation}</Title>
      <Text size="sm" component="div">
        {texts.delegationAbout(rest.join(".") || zone)}
      </Text>
      <ul style={{ margin: 0 }}>
        {servers.map((server) => (
          <li key={server}>
            <Name name={server} />
          </li>
        ))}
      </ul>
      <Code block className="name">
        {lines}
      </Code>
      <Group gap="xs">
        <Text size="sm">{texts.copyNames}</Text>
        <Copy text={servers.join("\n")} />
        <Text size="sm">{texts.copyLines}</Text>
        <Copy text={lines} />
      </Group>
      {isInside && <Text size="sm">{texts.delegationInside}</Text>}
    </Stack>
  );
}
