/** How to get a zone file from the provider that has the zone now. */
import { Accordion, Code, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Copy } from "../../kit/copy-as.tsx";
import { providerTexts as texts } from "../../text/new-zone.ts";

interface Way {
  readonly about: string;
  /** Writes the file in a shell; left out where the provider's pages have a button for it. */
  readonly command?: (zone: string) => string;
}

/** The name of a managed zone at Google Cloud, which has no dots. */
const dashed = (zone: string) => zone.replaceAll(".", "-");

const route53 = (zone: string) => `aws route53 list-resource-record-sets --hosted-zone-id ID --output json |
  jq -r '.ResourceRecordSets[] | select(.ResourceRecords) | . as $set | .ResourceRecords[] |
    "\\($set.Name | gsub("\\\\\\\\052"; "*")) \\($set.TTL) IN \\($set.Type) \\(.Value)"' > ${zone}.zone`;

const ways: { readonly [Provider in keyof typeof texts.about]: Way } = {
  "Azure DNS": {
    about: texts.about["Azure DNS"],
    command: (zone) => `az network dns zone export -g GROUP -n ${zone} -f ${zone}.zone`,
  },
  BIND: { about: texts.about.BIND, command: (zone) => `named-compilezone -f raw -F text -o ${zone}.zone ${zone} FILE` },
  Cloudflare: { about: texts.about.Cloudflare },
  "Google Cloud DNS": {
    about: texts.about["Google Cloud DNS"],
    command: (zone) => `gcloud dns record-sets export ${zone}.zone --zone=${dashed(zone)} --zone-file-format`,
  },
  PowerDNS: { about: texts.about.PowerDNS, command: (zone) => `pdnsutil list-zone ${zone} > ${zone}.zone` },
  "Route 53": { about: texts.about["Route 53"], command: route53 },
};

export function Providers({ zone }: { readonly zone: string }) {
  const [chosen, setChosen] = useState<keyof typeof ways>();
  const way = chosen && ways[chosen];
  const command = way?.command?.(zone === "" ? "example.com" : zone);
  return (
    <Accordion variant="contained" keepMounted={false}>
      <Accordion.Item value="how">
        <Accordion.Control>{texts.how}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            <Select
              label={texts.provider}
              data={Object.keys(ways)}
              value={chosen ?? null}
              onChange={(next) => setChosen((next as typeof chosen) ?? undefined)}
            />
            {way && <Text size="sm">{way.about}</Text>}
            {command && (
              <Group align="flex-start" wrap="nowrap">
                <Code block style={{ flex: 1, minWidth: 0 }}>
                  {command}
                </Code>
                <Copy text={command} />
              </Group>
            )}
            <Text size="sm" c="dimmed">
              {texts.others}
            </Text>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
