/** A list of rules about records; an empty field of a rule matches everything. */
import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { kitTexts } from "../../../text/kit.ts";
import { rightsTexts as texts } from "../../../text/rights.ts";

export interface Rule {
  readonly zone?: string;
  readonly domain?: string;
  readonly include_subdomains?: boolean;
  readonly type?: string;
}

interface Props {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  readonly rules: readonly Rule[];
  readonly error: string | undefined;
  readonly onChange: (rules: readonly Rule[]) => void;
}

const fields = [
  ["zone", texts.ruleZone, 190],
  ["domain", texts.ruleDomain, 220],
  ["type", texts.ruleType, 80],
] as const;

export function RecordRules({ name, title, hint, rules, error, onChange }: Props) {
  const change = (at: number, next: Rule) => onChange(rules.map((rule, place) => (place === at ? next : rule)));
  return (
    <Stack gap={4} role="group" aria-label={title}>
      <Text size="sm" fw={600}>
        {title}{" "}
        <Text span c="dimmed" fw={400} fz="xs" className="name">
          {name}
        </Text>
      </Text>
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
      {rules.map((rule, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no other identity than its place
        <Group key={at} gap="xs">
          {fields.map(([field, label, width]) => (
            <TextInput
              key={field}
              size="xs"
              w={width}
              aria-label={texts.rule(label, at + 1)}
              placeholder={`${label}: ${texts.anything}`}
              classNames={{ input: "name" }}
              spellCheck={false}
              autoCapitalize="none"
              value={rule[field] ?? ""}
              onChange={(event) => change(at, withText(rule, field, event.currentTarget.value))}
            />
          ))}
          <Checkbox
            size="xs"
            label={texts.ruleBelow}
            checked={rule.include_subdomains ?? false}
            onChange={(event) => change(at, { ...rule, include_subdomains: event.currentTarget.checked })}
          />
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={texts.removeRule(at + 1)}
            onClick={() => onChange(rules.filter((_, place) => place !== at))}
          >
            {kitTexts.remove}
          </Button>
        </Group>
      ))}
      {error !== undefined && (
        <Text size="xs" c="red" role="alert">
          {error}
        </Text>
      )}
      <Group>
        <Button size="compact-xs" variant="default" onClick={() => onChange([...rules, {}])}>
          {texts.addRule}
        </Button>
      </Group>
    </Stack>
  );
}

function withText(rule: Rule, field: "zone" | "domain" | "type", text: string): Rule {
  const { [field]: _, ...others } = rule;
  return text === "" ? others : { ...others, [field]: text };
}
