/** The name and the allow lists of a team. */
import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { FormEvent } from "react";
import type { Team } from "../../../api/types.ts";
import type { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { kitTexts } from "../../../text/kit.ts";
import { teamsTexts as texts } from "../../../text/teams.ts";
import { LinesField } from "../parts/lines-field.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { useForm } from "../parts/use-form.ts";

interface Props {
  readonly team: Team;
  readonly write: ReturnType<typeof useWrite<"POST /v1/account/teams/{teamid}">>;
}

interface Fields {
  readonly name: string;
  readonly ip_whitelist: { readonly id?: string; readonly name: string; readonly values: string[] }[];
}

export function TeamSettings({ team, write: { mutate, isPending, error } }: Props) {
  const form = useForm<Fields>(`team:${team.id}`, { name: team.name, ip_whitelist: team.ip_whitelist });
  const { name, ip_whitelist: lists } = form.value;
  const change = (at: number, fields: Partial<Fields["ip_whitelist"][number]>) =>
    form.set({ ip_whitelist: lists.map((list, place) => (place === at ? { ...list, ...fields } : list)) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      form.forget();
      notifications.show({ message: common.saved });
    };
    mutate({ path: { teamid: team.id }, body: form.changes }, { onSuccess });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={480}>
        <TextInput
          label={texts.name}
          required
          autoComplete="off"
          value={name}
          error={messageFor(error, "name")}
          onChange={(event) => form.set({ name: event.currentTarget.value })}
        />
        <Title order={3}>{texts.lists}</Title>
        <Text size="xs" c="dimmed">
          {texts.listsHint}
        </Text>
        {lists.map((list, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a new list has no id yet
          <Stack key={at} gap={4} role="group" aria-label={list.name}>
            <Group align="flex-end">
              <TextInput
                label={texts.listName}
                flex={1}
                autoComplete="off"
                value={list.name}
                onChange={(event) => change(at, { name: event.currentTarget.value })}
              />
              <Button
                variant="subtle"
                aria-label={texts.removeList(list.name)}
                onClick={() => form.set({ ip_whitelist: lists.filter((_, place) => place !== at) })}
              >
                {kitTexts.remove}
              </Button>
            </Group>
            <LinesField
              label={common.addresses}
              description={common.addressesHint}
              value={list.values}
              error={
                messageFor(error, `ip_whitelist[${at}]`) ?? (at === 0 ? messageFor(error, "ip_whitelist") : undefined)
              }
              onChange={(values) => change(at, { values })}
            />
          </Stack>
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => form.set({ ip_whitelist: [...lists, { name: "", values: [] }] })}
          >
            {texts.addList}
          </Button>
        </Group>
      </Stack>
      <SaveBar changes={form.count} act={texts.save} isPending={isPending} error={error} onDiscard={form.forget} />
    </form>
  );
}
