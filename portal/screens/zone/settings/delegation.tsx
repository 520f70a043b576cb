/** The delegation of a zone: the name servers that its parent names, and those that it should name. */
import { Button, Code, Group, List, Stack, Text, Title } from "@mantine/core";
import type { Delegation as Found } from "../../../api/types.ts";
import { useRead, useWrite } from "../../../kit/api.ts";
import { Copy } from "../../../kit/copy-as.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Name } from "../../../kit/name.tsx";
import { visibleOf } from "../../../kit/plain.ts";
import { State, type StateName } from "../../../kit/state.tsx";
import { Time } from "../../../kit/time.tsx";
import { settingsTexts as texts } from "../../../text/zone-settings.ts";
import { zonesTexts } from "../../../text/zones.ts";

const states: { readonly [S in Found["state"]]: StateName } = {
  delegated: "ok",
  partly: "stale",
  elsewhere: "down",
  not_delegated: "down",
  unknown: "unknown",
};

/** The seconds for which parents commonly keep a delegation. */
const parentTtl = 86_400;

export function Delegation({ zone }: { readonly zone: string }) {
  const read = "GET /v1/zones/{zone}/delegation";
  const { data, error, refetch } = useRead(read, { path: { zone } });
  const look = useWrite("POST /v1/zones/{zone}/delegation", [read, "GET /v1/zones$"]);
  if (!data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  const { state, reason, looked_at, found, expected } = data.data;
  return (
    <Stack gap="xs">
      <Title order={3}>{texts.delegation}</Title>
      <Group gap="xs">
        <State is={states[state]} text={zonesTexts.delegations[state]} />
        {looked_at !== null && (
          <Text size="sm" c="dimmed">
            <Time at={looked_at} />
          </Text>
        )}
        <Button
          size="compact-xs"
          variant="default"
          loading={look.isPending}
          onClick={() => look.mutate({ path: { zone } })}
        >
          {texts.lookAgain}
        </Button>
      </Group>
      {reason !== null && <Text size="sm">{visibleOf(reason)}</Text>}
      <ErrorNote error={look.error} />
      {found.length > 0 && state !== "delegated" && (
        <>
          <Text size="sm">{texts.foundAtParent}</Text>
          <Servers servers={found} />
        </>
      )}
      <Wanted zone={zone} servers={expected} />
    </Stack>
  );
}

function Wanted({ zone, servers }: { readonly zone: string; readonly servers: Found["expected"] }) {
  const [, ...rest] = zone.split(".");
  const lines = servers.flatMap(({ name, addresses }) => [
    `${zone}. ${parentTtl} IN NS ${name}.`,
    ...addresses.map((address) => `${name}. ${parentTtl} IN ${address.includes(":") ? "AAAA" : "A"} ${address}`),
  ]);
  return (
    <>
      <Text size="sm" component="div">
        {texts.delegationAbout(rest.join(".") || zone)}
      </Text>
      <Servers servers={servers} />
      <Code block className="name">
        {lines.join("\n")}
      </Code>
      <Group gap="xs">
        <Text size="sm">{texts.copyNames}</Text>
        <Copy text={servers.map(({ name }) => name).join("\n")} />
        <Text size="sm">{texts.copyLines}</Text>
        <Copy text={lines.join("\n")} />
      </Group>
    </>
  );
}

const Servers = ({ servers }: { readonly servers: Found["expected"] }) => (
  <List size="sm" pl="md">
    {servers.map(({ name, addresses }) => (
      <List.Item key={name}>
        <Name name={name} />{" "}
        <Text span c="dimmed">
          {addresses.join(", ")}
        </Text>
      </List.Item>
    ))}
  </List>
);
