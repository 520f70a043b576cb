/** The zones and records to which the rights of the group `dns` apply. */
import { SegmentedControl, Stack, Text } from "@mantine/core";
import type { ApiError } from "../../../api/client.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { rightsTexts as texts } from "../../../text/rights.ts";
import { LinesField } from "../parts/lines-field.tsx";
import { type Given, withField } from "./given.ts";
import { RecordRules, type Rule } from "./record-rules.tsx";

interface Props {
  readonly given: Given;
  readonly onChange: (given: Given) => void;
  readonly error: ApiError | null;
}

export function ZoneRules({ given, onChange, error }: Props) {
  const dns = given.groups["dns"] ?? {};
  const isOnly = dns["zones_allow_by_default"] === false;
  const list = isOnly ? "zones_allow" : "zones_deny";
  const set = (name: string, value: unknown) => onChange(withField(given, "dns", name, value));
  const message = (name: string) => messageFor(error, `permissions.dns.${name}`);
  return (
    <Stack gap="sm" mt="sm" maw={760}>
      <Stack gap={4} align="flex-start">
        <Text size="sm" fw={600} id="zones">
          {texts.zones}{" "}
          <Text span c="dimmed" fw={400} fz="xs" className="name">
            {list}
          </Text>
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="zones"
          data={[
            { value: "all", label: texts.zonesAll },
            { value: "only", label: texts.zonesOnly },
          ]}
          value={isOnly ? "only" : "all"}
          onChange={(value) => set("zones_allow_by_default", value === "only" ? false : undefined)}
        />
      </Stack>
      <LinesField
        key={list}
        label={texts.zoneList}
        description={texts.zoneHint}
        value={(dns[list] as readonly string[] | undefined) ?? []}
        error={message(list)}
        onChange={(names) => set(list, names.length > 0 ? names : undefined)}
      />
      {(["records_allow", "records_deny"] as const).map((name) => (
        <RecordRules
          key={name}
          name={name}
          title={name === "records_allow" ? texts.recordsAllow : texts.recordsDeny}
          hint={name === "records_allow" ? texts.recordsAllowHint : texts.recordsDenyHint}
          rules={(dns[name] as readonly Rule[] | undefined) ?? []}
          error={message(name)}
          onChange={(rules) => set(name, rules.length > 0 ? rules : undefined)}
        />
      ))}
    </Stack>
  );
}
