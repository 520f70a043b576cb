/** The form for a TSIG key, new or not. Its secret is kept nowhere. */
import { Button, Group, Select } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { TsigKey } from "../../../api/types.ts";
import { useWrite } from "../../../kit/api.ts";
import { useBodySchema } from "../../../kit/body-schema.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { FormDialog } from "../../../kit/form.tsx";
import { TextField } from "../../../kit/text-field.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { tsigTexts as texts } from "../../../text/tsig.ts";

interface Props {
  readonly edited: Pick<TsigKey, "name" | "algorithm">;
  readonly onClose: () => void;
}

/** A secret of 32 random octets, in base64. */
const drawn = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));

export function TsigForm({ edited, onClose }: Props) {
  const isNew = edited.name === "";
  const [name, setName] = useState(edited.name);
  const [algorithm, setAlgorithm] = useState(edited.algorithm);
  const [secret, setSecret] = useState("");
  const { schema } = useBodySchema("PUT /v1/tsig/{name}");
  const create = useWrite("PUT /v1/tsig/{name}", ["GET /v1/tsig"]);
  const change = useWrite("POST /v1/tsig/{name}", ["GET /v1/tsig"]);
  const { error, isPending } = isNew ? create : change;
  // the API's sentence about the field names the algorithms
  const about = schema?.properties?.["algorithm"]?.description ?? "";
  const algorithms = [...new Set([...(about.match(/hmac-[a-z\d]+/g) ?? []), algorithm])].sort();
  const onSuccess = () => {
    notifications.show({ message: isNew ? texts.created(name) : common.saved });
    onClose();
  };
  const submit = () => {
    const path = { name: name.trim() };
    if (isNew) create.mutate({ path, body: { algorithm, secret } }, { onSuccess });
    else change.mutate({ path, body: { algorithm, ...(secret === "" ? {} : { secret }) } }, { onSuccess });
  };
  return (
    <FormDialog
      title={isNew ? texts.add : texts.editTitle(edited.name)}
      act={isNew ? texts.create : texts.save}
      isPending={isPending}
      error={error}
      fields={["name", "algorithm", "secret"]}
      onSubmit={submit}
      onClose={onClose}
    >
      {isNew && (
        <TextField
          label={texts.name}
          description={texts.nameHint}
          required
          data-autofocus
          isName
          value={name}
          error={messageFor(error, "name")}
          onChange={setName}
        />
      )}
      <Select
        label={texts.algorithm}
        allowDeselect={false}
        data={algorithms}
        value={algorithm}
        error={messageFor(error, "algorithm")}
        onChange={(value) => value !== null && setAlgorithm(value)}
      />
      <TextField
        label={texts.secret}
        description={isNew ? texts.secretHint : `${texts.secretHint} ${texts.secretChange}`}
        required={isNew}
        isName
        value={secret}
        error={messageFor(error, "secret")}
        onChange={setSecret}
      />
      <Group>
        <Button variant="default" size="compact-sm" onClick={() => setSecret(drawn())}>
          {texts.generate}
        </Button>
      </Group>
    </FormDialog>
  );
}
