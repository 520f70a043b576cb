/** Name, address, teams and allowed addresses of a user. */
import { Group, Text } from "@mantine/core";
import type { User } from "../../../api/types.ts";
import { useOpen } from "../../../app/link.tsx";
import { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { State } from "../../../kit/state.tsx";
import { TextField } from "../../../kit/text-field.tsx";
import { Time } from "../../../kit/time.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { peopleTexts as texts } from "../../../text/people.ts";
import { AddressesField } from "../parts/addresses-field.tsx";
import { SettingsForm } from "../parts/settings-form.tsx";
import { TeamsField } from "../parts/teams-field.tsx";
import { useForm } from "../parts/use-form.ts";
import { fields } from "./invite.tsx";

export function UserSettings({ user }: { readonly user: User }) {
  const open = useOpen();
  const { username, email, name, teams, ip_whitelist, ip_whitelist_strict } = user;
  const form = useForm(`user:${user.id}`, { username, email, name, teams, ip_whitelist, ip_whitelist_strict });
  const { value, set, changes } = form;
  // the old name is not read again
  const outdated = changes.username === undefined ? "GET /v1/account/users" : "GET /v1/account/users$";
  const write = useWrite("POST /v1/account/users/{username}", [outdated]);
  const { error } = write;
  const save = (onSaved: () => void) =>
    write.mutate(
      { path: { username }, body: changes },
      {
        onSuccess: ({ data }) => {
          onSaved();
          if (data.username !== username) {
            open({ to: "accountPage", params: { page: "people" }, search: { user: data.username } });
          }
        },
      },
    );
  return (
    <SettingsForm form={form} act={texts.save} write={write} maw={480} onSave={save}>
      <Group gap="xs">
        <Text size="sm">{texts.factor}</Text>
        <State is={user["2fa_enabled"] ? "ok" : "off"} text={user["2fa_enabled"] ? texts.factorOn : texts.factorOff} />
        <Text size="sm" c="dimmed">
          {common.lastAccess}: <Time at={user.last_access} />
        </Text>
        <Text size="sm" c="dimmed">
          {common.created}: <Time at={user.created} />
        </Text>
      </Group>
      {fields.map(([field, label, description]) => (
        <TextField
          key={field}
          label={label}
          description={description}
          value={value[field]}
          error={messageFor(error, field)}
          onChange={(text) => set({ [field]: text })}
        />
      ))}
      <TeamsField value={value.teams} error={messageFor(error, "teams")} onChange={(ids) => set({ teams: ids })} />
      <AddressesField value={value} error={error} onChange={set} />
    </SettingsForm>
  );
}
