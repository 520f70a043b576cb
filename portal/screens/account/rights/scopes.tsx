/** The zones, records and addresses to which the rights apply. */
import { List, Stack, Text, Title } from "@mantine/core";
import type { EffectiveRights } from "../../../api/types.ts";
import { rightsTexts as texts } from "../../../text/rights.ts";
import { Admits } from "./admits.tsx";

type Scope = EffectiveRights["scopes"][number];
type Rule = Scope["records_allow"][number];

export function Scopes({ rights, isAsked }: { readonly rights: EffectiveRights; readonly isAsked: boolean }) {
  return (
    <>
      <Stack gap={4}>
        <Title order={3}>{texts.scopes}</Title>
        {rights.scopes.map((scope) => (
          <div key={scope.team?.id ?? ""}>
            <Text size="sm">
              <b>{scope.team?.name ?? texts.own}</b>: {zonesOf(scope)}
            </Text>
            <Rules title={texts.rulesAllow} rules={scope.records_allow} />
            <Rules title={texts.rulesDeny} rules={scope.records_deny} />
          </div>
        ))}
      </Stack>
      <Stack gap={4}>
        <Title order={3}>{texts.allowLists}</Title>
        <Admits lists={rights.allow_lists} isAsked={isAsked} />
      </Stack>
    </>
  );
}

function zonesOf({ zones_allow_by_default, zones_allow, zones_deny }: Scope): string {
  const names = zones_allow_by_default ? zones_deny : zones_allow;
  if (names.length === 0) return zones_allow_by_default ? texts.allZones : texts.noZones;
  return `${zones_allow_by_default ? texts.allZonesBut : texts.onlyZones} ${names.join(", ")}`;
}

function Rules({ title, rules }: { readonly title: string; readonly rules: readonly Rule[] }) {
  if (rules.length === 0) return null;
  return (
    <>
      <Text size="sm">{title}</Text>
      <List size="sm">
        {rules.map((rule) => (
          <List.Item key={JSON.stringify(rule)} className="name">
            {textOf(rule)}
          </List.Item>
        ))}
      </List>
    </>
  );
}

function textOf({ zone, domain, include_subdomains, type }: Rule): string {
  const below = include_subdomains ? ` ${texts.ruleBelow}` : "";
  return `${zone || texts.anyZone} · ${domain || texts.anyName}${below} · ${type || texts.anyType}`;
}
