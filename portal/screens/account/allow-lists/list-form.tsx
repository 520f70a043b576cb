/** The form for an allow list, new or not. */
import { notifications } from "@mantine/notifications";
import type { AllowList } from "../../../api/types.ts";
import { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { FormDialog } from "../../../kit/form.tsx";
import { TextField } from "../../../kit/text-field.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { allowListsTexts as texts } from "../../../text/allow-lists.ts";
import { LinesField } from "../parts/lines-field.tsx";
import { useForm } from "../parts/use-form.ts";

interface Props {
  readonly list: AllowList;
  readonly onClose: () => void;
}

export const outdated = ["GET /v1/account/whitelist", "GET /v1/account/users"];

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
  const submit = () => {
    if (isNew) create.mutate({ body: form.value }, { onSuccess });
    else change.mutate({ path: { id }, body: form.changes }, { onSuccess });
  };
  return (
    <FormDialog
      title={isNew ? texts.add : texts.editTitle(name)}
      act={isNew ? texts.create : texts.save}
      isPending={isPending}
      error={error}
      fields={["name", "values"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        required
        data-autofocus
        value={form.value.name}
        error={messageFor(error, "name")}
        onChange={(text) => form.set({ name: text })}
      />
      <LinesField
        label={texts.values}
        description={texts.valuesHint}
        value={form.value.values}
        error={messageFor(error, "values")}
        onChange={(entries) => form.set({ values: entries })}
      />
    </FormDialog>
  );
}
