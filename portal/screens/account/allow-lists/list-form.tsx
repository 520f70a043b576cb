/** The form for an allow list, new or not. */
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { FormEvent } from "react";
import type { AllowList } from "../../../api/types.ts";
import { useWrite } from "../../../kit/api.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { allowListsTexts as texts } from "../../../text/allow-lists.ts";
import { kitTexts } from "../../../text/kit.ts";
import { LinesField } from "../parts/lines-field.tsx";
import { useForm } from "../parts/use-form.ts";

interface Props {
  readonly list: AllowList;
  readonly onClose: () => void;
}

const outdated = ["GET /v1/account/whitelist", "GET /v1/account/users"];

export function ListForm({ list, onClose }: Props) {
  const { id, name, values } = list;
  const isNew = id === "";
  const form = useForm(`allow-list:${id}`, { name, values });
  const create = useWrite("PUT /v1/account/whitelist", outdated);
  const change = useWrite("POST /v1/account/whitelist/{id}", outdated);
  const { error, isPending } = isNew ? create : change;
  const onSuccess = () => {
    form.forget();
    notifications.show({ message: isNew ? texts.created : common.saved });
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isNew) create.mutate({ body: form.value }, { onSuccess });
    else change.mutate({ path: { id }, body: form.changes }, { onSuccess });
  };
  const isAtField = ["name", "values"].some((field) => messageFor(error, field) !== undefined);
  return (
    <Modal opened onClose={onClose} title={isNew ? texts.add : texts.editTitle(name)}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={texts.name}
            required
            data-autofocus
            autoComplete="off"
            value={form.value.name}
            error={messageFor(error, "name")}
            onChange={(event) => form.set({ name: event.currentTarget.value })}
          />
          <LinesField
            label={texts.values}
            description={texts.valuesHint}
            value={form.value.values}
            error={messageFor(error, "values")}
            onChange={(entries) => form.set({ values: entries })}
          />
          {!isAtField && <ErrorNote error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {kitTexts.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {isNew ? texts.create : texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
