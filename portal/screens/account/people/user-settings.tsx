/** Name, address, teams and allowed addresses of a user. */
import { Group, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { FormEvent } from "react";
import type { User } from "../../../api/types.ts";
import { useOpen } from "../../../app/link.tsx";
import { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { State } from "../../../kit/state.tsx";
import { Time } from "../../../kit/time.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { peopleTexts as texts } from "../../../text/people.ts";
import { AddressesField } from "../parts/addresses-field.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { TeamsField } from "../parts/teams-field.tsx";
import { useForm } from "../parts/use-form.ts";

const fields = [
  ["username", texts.username, texts.usernameHint],
  ["email", texts.email, undefined],
  ["name", texts.fullName, undefined],
] as const;

export function UserSettings({ user }: { readonly user: User }) {
  const open = useOpen();
  const { username, email, name, teams, ip_whitelist, ip_whitelist_strict } = user;
  const form = useForm(`user:${user.id}`, { username, email, name, teams, ip_whitelist, ip_whitelist_strict });
  // the old name is not read again
  const isRenamed = form.changes.username !== undefined;
  const { mutate, isPending, error } = useWrite("POST /v1/account/users/{username}", [
    isRenamed ? "GET /v1/account/users$" : "GET /v1/account/users",
  ]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(
      { path: { username }, body: form.changes },
      {
        onSuccess: ({ data }) => {
          form.forget();
          notifications.show({ message: common.saved });
          if (data.username !== username) {
            open({ to: "accountPage", params: { page: "people" }, search: { user: data.username } });
          }
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={480}>
        <Group gap="xs">
          <Text size="sm">{texts.factor}</Text>
          <State
            is={user["2fa_enabled"] ? "ok" : "off"}
            text={user["2fa_enabled"] ? texts.factorOn : texts.factorOff}
          />
          <Text size="sm" c="dimmed">
            {common.lastAccess}: {user.last_access === null ? texts.neverIn : <Time at={user.last_access} />}
          </Text>
          <Text size="sm" c="dimmed">
            {common.created}: <Time at={user.created} />
          </Text>
        </Group>
        {fields.map(([field, label, description]) => (
          <TextInput
            key={field}
            label={label}
            description={description}
            autoComplete="off"
            value={form.value[field]}
            error={messageFor(error, field)}
            onChange={(event) => form.set({ [field]: event.currentTarget.value })}
          />
        ))}
        <TeamsField
          value={form.value.teams}
          error={messageFor(error, "teams")}
          onChange={(ids) => form.set({ teams: ids })}
        />
        <AddressesField
          value={form.value}
          error={messageFor(error, "ip_whitelist")}
          strictError={messageFor(error, "ip_whitelist_strict")}
          onChange={(value) =>
            form.set({ ip_whitelist: [...value.ip_whitelist], ip_whitelist_strict: value.ip_whitelist_strict })
          }
        />
      </Stack>
      <SaveBar changes={form.count} act={texts.save} isPending={isPending} error={error} onDiscard={form.forget} />
    </form>
  );
}
