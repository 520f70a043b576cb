/** The servers of others that get the zone. */
import { Button, Checkbox, CloseButton, Code, Group, NumberInput, Select, Stack, Text, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import type { Zone } from "../../../api/types.ts";
import { useReadAll } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { transfersTexts as texts } from "../../../text/zone-transfers.ts";
import { FormActs } from "../settings/form-acts.tsx";
import { Section } from "../settings/section.tsx";
import { useZoneForm } from "../settings/use-zone-form.ts";
import { type Target, targetsOf } from "./read.ts";

const blank: Target = { ip: "", port: 53, notify: true, tsig_key: null, tls_only: false };

export function Targets({ zone }: { readonly zone: Zone }) {
  const stored = targetsOf(zone);
  const form = useZoneForm(zone.zone, "targets", { primary: stored });
  const { rows: keys } = useReadAll("GET /v1/tsig", { query: { limit: 1000 } });
  const rows = form.values.primary;
  const set = (at: number, row: Partial<Target>) =>
    form.set({ primary: rows.map((other, index) => (index === at ? { ...other, ...row } : other)) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const secondaries = rows.filter(({ ip }) => ip.trim() !== "").map(({ tsig_key, ...row }) => withKey(row, tsig_key));
    form.save({ primary: { ...zone.primary, enabled: secondaries.length > 0, secondaries } });
  };
  const [first] = stored;
  return (
    <Section title={texts.targets} about={rows.length === 0 ? texts.targetsNone : texts.targetsAbout}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {rows.map(({ ip, port, notify, tsig_key, tls_only }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and are never reordered
            <Group key={at} gap="xs" align="flex-end" role="group" aria-label={texts.target(at + 1)}>
              <TextInput
                label={texts.ip}
                value={ip}
                error={form.messageFor(`primary.secondaries[${at}]`)}
                onChange={(event) => set(at, { ip: event.currentTarget.value })}
              />
              <NumberInput
                label={texts.port}
                w={90}
                hideControls
                value={port}
                onChange={(value) => set(at, { port: Number(value) })}
              />
              <Select
                label={texts.key}
                w={200}
                placeholder={texts.anyKey}
                clearable
                data={keys.map(({ name }) => name)}
                value={tsig_key}
                onChange={(name) => set(at, { tsig_key: name })}
              />
              <Checkbox
                label={texts.notify}
                mb={8}
                checked={notify}
                onChange={(event) => set(at, { notify: event.currentTarget.checked })}
              />
              <Checkbox
                label={texts.tlsOnly}
                mb={8}
                checked={tls_only}
                onChange={(event) => set(at, { tls_only: event.currentTarget.checked })}
              />
              <CloseButton
                mb={4}
                aria-label={texts.remove(ip)}
                onClick={() => form.set({ primary: rows.filter((_, index) => index !== at) })}
              />
            </Group>
          ))}
          <ErrorNote error={form.error} />
          <Group>
            <Button variant="default" size="compact-sm" onClick={() => form.set({ primary: [...rows, blank] })}>
              {texts.add}
            </Button>
          </Group>
          <FormActs
            isChanged={form.isChanged}
            isPending={form.isPending}
            what={texts.targetsObject}
            onReset={form.reset}
          />
        </Stack>
      </form>
      {first && (
        <Text size="sm" component="div">
          {texts.serialsAbout(zone.serial)}
          <Code block className="name">
            dig +short SOA {zone.zone} @{first.ip}
          </Code>
        </Text>
      )}
    </Section>
  );
}

const withKey = (row: Omit<Target, "tsig_key">, key: string | null) => ({
  ...row,
  ...(key === null ? {} : { tsig_key: key }),
});
