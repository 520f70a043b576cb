/** The name and the allow lists of a team. */
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import type { Team } from "../../../api/types.ts";
import type { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { TextField } from "../../../kit/text-field.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { kitTexts } from "../../../text/kit.ts";
import { teamsTexts as texts } from "../../../text/teams.ts";
import { LinesField } from "../parts/lines-field.tsx";
import { SettingsForm } from "../parts/settings-form.tsx";
import { useForm } from "../parts/use-form.ts";

interface Props {
  readonly team: Team;
  readonly write: ReturnType<typeof useWrite<"POST /v1/account/teams/{teamid}">>;
}

interface Fields {
  readonly name: string;
  readonly ip_whitelist: { readonly id?: string; readonly name: string; readonly values: string[] }[];
}

export function TeamSettings({ team, write }: Props) {
  const form = useForm<Fields>(`team:${team.id}`, { name: team.name, ip_whitelist: team.ip_whitelist });
  const { name, ip_whitelist: lists } = form.value;
  const { error } = write;
  const change = (at: number, fields: Partial<Fields["ip_whitelist"][number]>) =>
    form.set({ ip_whitelist: lists.map((list, place) => (place === at ? { ...list, ...fields } : list)) });
  return (
    <SettingsForm
      form={form}
      act={texts.save}
      write={write}
      maw={480}
      onSave={(onSuccess) => write.mutate({ path: { teamid: team.id }, body: form.changes }, { onSuccess })}
    >
      <TextField
        label={texts.name}
        required
        value={name}
        error={messageFor(error, "name")}
        onChange={(text) => form.set({ name: text })}
      />
      <Title order={3}>{texts.lists}</Title>
      <Text size="xs" c="dimmed">
        {texts.listsHint}
      </Text>
      {lists.map((list, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a new list has no id yet
        <Stack key={at} gap={4} role="group" aria-label={list.name}>
          <Group align="flex-end">
            <TextField
              label={texts.listName}
              flex={1}
              value={list.name}
              onChange={(text) => change(at, { name: text })}
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
    </SettingsForm>
  );
}
