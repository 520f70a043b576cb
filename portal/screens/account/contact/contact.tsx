/** The account's contact details, and usage warnings. */
import { Loader, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import type { Contact as Stored } from "../../../api/types.ts";
import { useRead, useWrite } from "../../../kit/api.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { contactTexts as texts } from "../../../text/contact.ts";
import { SettingsForm } from "../parts/settings-form.tsx";
import { useForm } from "../parts/use-form.ts";
import { Warnings } from "./warnings.tsx";

export function Contact() {
  const { data, error, refetch } = useRead("GET /v1/account/settings");
  if (!data) return error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : <Loader size="sm" />;
  return (
    <Stack gap="xl">
      <ContactForm stored={data.data} />
      <Warnings />
    </Stack>
  );
}

const entries = <T extends object>(names: T) => Object.entries(names) as [keyof T & string, string][];

function ContactForm({ stored: { customerid, deletion_guard: _, ...stored } }: { readonly stored: Stored }) {
  const form = useForm("contact", stored);
  const { value, set, changes } = form;
  const write = useWrite("POST /v1/account/settings", ["GET /v1/account/settings"]);
  const { error } = write;
  return (
    <SettingsForm
      form={form}
      act={texts.save}
      write={write}
      maw={760}
      onSave={(onSuccess) => write.mutate({ body: changes }, { onSuccess })}
    >
      <Title order={2}>{texts.title}</Title>
      <Text size="sm" c="dimmed">
        {texts.hint} {texts.customer}: {customerid}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {entries(texts.fields).map(([name, label]) => (
          <TextInput
            key={name}
            label={label}
            value={value[name]}
            error={messageFor(error, name)}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      <Title order={3}>{texts.addressTitle}</Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {entries(texts.address).map(([name, label]) => (
          <TextInput
            key={name}
            label={label}
            value={value.address[name]}
            error={messageFor(error, `address.${name}`)}
            onChange={(event) => set({ address: { ...value.address, [name]: event.currentTarget.value } })}
          />
        ))}
      </SimpleGrid>
    </SettingsForm>
  );
}
