/** The shares of the plan at which the account wants to be warned. */
import { Group, NumberInput, Switch, Text, Title } from "@mantine/core";
import type { UsageWarnings } from "../../../api/types.ts";
import { useRead, useWrite } from "../../../kit/api.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { contactTexts as texts } from "../../../text/contact.ts";
import { SettingsForm } from "../parts/settings-form.tsx";
import { useForm } from "../parts/use-form.ts";

const kinds = ["queries", "records", "zones"] as const;
const steps = [
  ["warning_1", texts.first],
  ["warning_2", texts.second],
] as const;

export function Warnings() {
  const { data, error, refetch } = useRead("GET /v1/account/usagewarnings");
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return data ? <WarningsForm stored={data.data} /> : null;
}

function WarningsForm({ stored }: { readonly stored: UsageWarnings }) {
  const form = useForm("warnings", stored);
  const write = useWrite("POST /v1/account/usagewarnings", ["GET /v1/account/usagewarnings"]);
  return (
    <SettingsForm
      form={form}
      act={texts.saveWarnings}
      write={write}
      onSave={(onSuccess) => write.mutate({ body: form.changes }, { onSuccess })}
    >
      <Title order={2}>{texts.warnings}</Title>
      <Text size="sm" c="dimmed">
        {texts.warningsHint}
      </Text>
      {kinds.map((kind) => {
        const warning = form.value[kind];
        if (!warning) return null;
        const set = (fields: Partial<typeof warning>) => form.set({ [kind]: { ...warning, ...fields } });
        return (
          <Group key={kind} gap="sm" align="flex-end" role="group" aria-label={texts.what[kind]}>
            <Text size="sm" w={{ base: "100%", xs: 80 }} pb={{ base: 0, xs: 8 }}>
              {texts.what[kind]}
            </Text>
            {steps.map(([name, label]) => (
              <NumberInput
                key={name}
                w={160}
                label={label}
                aria-label={texts.of(label, texts.what[kind])}
                min={0}
                max={100}
                allowDecimal={false}
                suffix=" %"
                value={warning[name]}
                error={messageFor(write.error, `${kind}.${name}`)}
                onChange={(percent) => typeof percent === "number" && set({ [name]: percent })}
              />
            ))}
            <Switch
              pb={8}
              label={texts.send}
              aria-label={texts.of(texts.send, texts.what[kind])}
              checked={warning.send_warnings}
              onChange={(event) => set({ send_warnings: event.currentTarget.checked })}
            />
          </Group>
        );
      })}
    </SettingsForm>
  );
}
