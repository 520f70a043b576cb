/** Name, teams, allowed addresses, guard and duration of a key. */
import { Group, NumberInput, Text } from "@mantine/core";
import type { ApiKey } from "../../../api/types.ts";
import type { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { TextField } from "../../../kit/text-field.tsx";
import { Time } from "../../../kit/time.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { keysTexts as texts } from "../../../text/keys.ts";
import { AddressesField } from "../parts/addresses-field.tsx";
import { GuardField, withGuard } from "../parts/guard-field.tsx";
import { SettingsForm } from "../parts/settings-form.tsx";
import { TeamsField } from "../parts/teams-field.tsx";
import { useForm } from "../parts/use-form.ts";
import { Validity } from "./validity.tsx";

interface Props {
  readonly apiKey: ApiKey;
  readonly write: ReturnType<typeof useWrite<"POST /v1/account/apikeys/{keyid}">>;
}

export function KeySettings({ apiKey, write }: Props) {
  const { id, name, teams, ip_whitelist, ip_whitelist_strict, deletion_guard = "", expiry_duration } = apiKey;
  const stored = { name, teams, ip_whitelist, ip_whitelist_strict, deletion_guard, expiry_duration };
  const form = useForm(`key:${id}`, stored);
  const { value, set, changes } = form;
  const { error } = write;
  return (
    <SettingsForm
      form={form}
      act={texts.rename}
      write={write}
      maw={480}
      onSave={(onSuccess) => write.mutate({ path: { keyid: id }, body: withGuard(changes) }, { onSuccess })}
    >
      <Group gap="md">
        <Text size="sm" c="dimmed">
          {common.lastAccess}: <Time at={apiKey.last_access} />
        </Text>
        <Text size="sm" c="dimmed">
          {texts.expires}: <Validity apiKey={apiKey} />
        </Text>
      </Group>
      <TextField
        label={texts.name}
        required
        value={value.name}
        error={messageFor(error, "name")}
        onChange={(text) => set({ name: text })}
      />
      <TeamsField value={value.teams} error={messageFor(error, "teams")} onChange={(ids) => set({ teams: ids })} />
      {expiry_duration !== undefined && (
        <NumberInput
          label={texts.duration}
          min={1}
          allowDecimal={false}
          value={Number.parseInt(value.expiry_duration ?? "", 10)}
          error={messageFor(error, "expiry_duration")}
          onChange={(days) => set({ expiry_duration: `${days}d` })}
        />
      )}
      <AddressesField value={value} error={error} onChange={set} />
      <GuardField
        hint={texts.guardHint}
        unset={texts.guardUnset}
        value={value.deletion_guard}
        error={messageFor(error, "deletion_guard")}
        onChange={(guard) => set({ deletion_guard: guard })}
      />
    </SettingsForm>
  );
}
