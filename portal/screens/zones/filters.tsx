/** The filters of the list of zones, and its export. */
import { Button, Group, Select, TextInput } from "@mantine/core";
import { urlOf } from "../../api/client.ts";
import { useAddress } from "../../kit/address.ts";
import { Views } from "../../kit/views.tsx";
import { zonesTexts as texts } from "../../text/zones.ts";
import { filterNames, useFilters } from "./use-filters.ts";

const viewNames = [...filterNames, "sort"];

export function Filters() {
  const [q, setQ] = useAddress("q");
  const [tag, setTag] = useAddress("tag");
  const { query } = useFilters();
  return (
    <Group mb="sm" gap="xs">
      <TextInput
        size="xs"
        type="search"
        aria-label={texts.filter}
        placeholder={texts.filter}
        value={q}
        onChange={(event) => setQ(event.currentTarget.value)}
      />
      <Choice name="kind" label={texts.anyKind} choices={texts.kinds} />
      <Choice name="status" label={texts.anyStatus} choices={texts.statuses} />
      <Choice name="delegation" label={texts.anyDelegation} choices={texts.delegations} />
      <TextInput
        size="xs"
        w={150}
        aria-label={texts.tag}
        placeholder={`${texts.tag}: ${texts.tagHint}`}
        value={tag}
        onChange={(event) => setTag(event.currentTarget.value)}
      />
      <Group gap="xs" ms="auto">
        <Views page="zones" names={viewNames} size="xs" />
        <Button
          component="a"
          size="xs"
          variant="default"
          href={urlOf("GET /v1/zones", { query: { ...query, fields: "delegation", export: "csv" } }).href}
          download
        >
          {texts.export}
        </Button>
      </Group>
    </Group>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly choices: { readonly [value: string]: string };
}

function Choice({ name, label, choices }: ChoiceProps) {
  const [value, setValue] = useAddress(name);
  return (
    <Select
      size="xs"
      w={150}
      clearable
      aria-label={label}
      placeholder={label}
      data={Object.entries(choices).map(([one, text]) => ({ value: one, label: text }))}
      value={value === "" ? null : value}
      onChange={(next) => setValue(next ?? "")}
    />
  );
}
