/** Name, teams, allowed addresses, guard and duration of a key. */
import { Group, NumberInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { FormEvent } from "react";
import type { ApiKey } from "../../../api/types.ts";
import type { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { Time } from "../../../kit/time.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { keysTexts as texts } from "../../../text/keys.ts";
import { AddressesField } from "../parts/addresses-field.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { TeamsField } from "../parts/teams-field.tsx";
import { useForm } from "../parts/use-form.ts";
import { Validity } from "./validity.tsx";

interface Props {
  readonly apiKey: ApiKey;
  readonly write: ReturnType<typeof useWrite<"POST /v1/account/apikeys/{keyid}">>;
}

const guardChoices = Object.entries(texts.guards).map(([value, label]) => ({
  value,
  label: value === "" ? label : `${label} (${value})`,
}));

export function KeySettings({ apiKey, write: { mutate, isPending, error } }: Props) {
  const { id, name, teams, ip_whitelist, ip_whitelist_strict, deletion_guard = "", expiry_duration } = apiKey;
  const stored = { name, teams, ip_whitelist, ip_whitelist_strict, deletion_guard, expiry_duration };
  const form = useForm(`key:${id}`, stored);
  const { value, set } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { deletion_guard: guard, ...changes } = form.changes;
    const body = { ...changes, ...(guard === undefined ? {} : { deletion_guard: guard === "" ? null : guard }) };
    const onSuccess = () => {
      form.forget();
      notifications.show({ message: common.saved });
    };
    mutate({ path: { keyid: id }, body }, { onSuccess });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={480}>
        <Group gap="md">
          <Text size="sm" c="dimmed">
            {common.lastAccess}: <Time at={apiKey.last_access} />
          </Text>
          <Text size="sm" c="dimmed">
            {texts.expires}: <Validity apiKey={apiKey} />
          </Text>
        </Group>
        <TextInput
          label={texts.name}
          required
          autoComplete="off"
          value={value.name}
          error={messageFor(error, "name")}
          onChange={(event) => set({ name: event.currentTarget.value })}
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
        <AddressesField
          value={value}
          error={messageFor(error, "ip_whitelist")}
          strictError={messageFor(error, "ip_whitelist_strict")}
          onChange={(next) =>
            set({ ip_whitelist: [...next.ip_whitelist], ip_whitelist_strict: next.ip_whitelist_strict })
          }
        />
        <Select
          label={texts.guard}
          description={texts.guardHint}
          allowDeselect={false}
          data={guardChoices}
          value={value.deletion_guard}
          error={messageFor(error, "deletion_guard")}
          onChange={(guard) => set({ deletion_guard: guard ?? "" })}
        />
      </Stack>
      <SaveBar changes={form.count} act={texts.rename} isPending={isPending} error={error} onDiscard={form.forget} />
    </form>
  );
}
