/** The account's contact details, the guard against large deletions, and usage warnings. */
import { Loader, Select, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { FormEvent } from "react";
import type { Contact as Stored } from "../../../api/types.ts";
import { useRead, useWrite } from "../../../kit/api.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { contactTexts as texts } from "../../../text/contact.ts";
import { SaveBar } from "../parts/save-bar.tsx";
import { useForm } from "../parts/use-form.ts";
import { Warnings } from "./warnings.tsx";

export function Contact() {
  const { data, error, refetch } = useRead("GET /v1/account/settings");
  return (
    <Stack gap="xl">
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data ? <ContactForm stored={data.data} /> : !error && <Loader size="sm" />}
      <Warnings />
    </Stack>
  );
}

const entries = <T extends object>(names: T) => Object.entries(names) as [keyof T & string, string][];
const guardChoices = entries(texts.guards).map(([value, label]) => ({
  value,
  label: value === "" ? label : `${label} (${value})`,
}));

function ContactForm({ stored: { customerid, deletion_guard = "", ...stored } }: { readonly stored: Stored }) {
  const form = useForm("contact", { ...stored, deletion_guard });
  const { value, set } = form;
  const { mutate, isPending, error } = useWrite("POST /v1/account/settings", ["GET /v1/account/settings"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { deletion_guard: guard, ...changes } = form.changes;
    const body = { ...changes, ...(guard === undefined ? {} : { deletion_guard: guard === "" ? null : guard }) };
    const onSuccess = () => {
      form.forget();
      notifications.show({ message: common.saved });
    };
    mutate({ body }, { onSuccess });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={760}>
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
        <Title order={3}>{texts.guardTitle}</Title>
        <Select
          maw={420}
          label={texts.guard}
          description={texts.guardHint}
          allowDeselect={false}
          data={guardChoices}
          value={value.deletion_guard}
          error={messageFor(error, "deletion_guard")}
          onChange={(guard) => set({ deletion_guard: guard ?? "" })}
        />
      </Stack>
      <SaveBar changes={form.count} act={texts.save} isPending={isPending} error={error} onDiscard={form.forget} />
    </form>
  );
}
