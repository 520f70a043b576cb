/** The secrets of a key: the next one of a key that expires, or the rotation of a permanent one. */
import { Button, NumberInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ApiKey } from "../../../api/types.ts";
import { useWrite } from "../../../kit/api.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { Form } from "../../../kit/form.tsx";
import { keysTexts as texts } from "../../../text/keys.ts";
import { SecretList } from "./secret-list.tsx";
import { SecretOnce } from "./secret-once.tsx";

const outdated = ["GET /v1/account/apikeys"];

export function Secrets({ apiKey }: { readonly apiKey: ApiKey }) {
  const [made, setMade] = useState<string>();
  const take = ({ key, secrets }: ApiKey) =>
    setMade(apiKey.expiry_duration === undefined ? key : secrets?.find((one) => one.key !== undefined)?.key);
  if (made !== undefined) return <SecretOnce secret={made} onDone={() => setMade(undefined)} />;
  const isPermanent = apiKey.expiry_duration === undefined;
  return (
    <Stack>
      <Text size="sm">{isPermanent ? texts.permanent : texts.expiring}</Text>
      {isPermanent ? <Rotate id={apiKey.id} onMade={take} /> : <Next id={apiKey.id} onMade={take} />}
      <SecretList apiKey={apiKey} />
    </Stack>
  );
}

interface MakeProps {
  readonly id: string;
  readonly onMade: (key: ApiKey) => void;
}

function Rotate({ id, onMade }: MakeProps) {
  const [days, setDays] = useState<number | string>(1);
  const { mutate, isPending, error } = useWrite("POST /v1/account/apikeys/{keyid}/rotate", outdated);
  const rotate = () =>
    mutate(
      { path: { keyid: id }, body: { overlap: `${days === "" ? 0 : days}d` } },
      { onSuccess: ({ data }) => onMade(data) },
    );
  return (
    <Form act={texts.rotate} isPending={isPending} error={error} fields={["overlap"]} onSubmit={rotate} maw={480}>
      <NumberInput
        label={texts.overlap}
        description={texts.overlapHint}
        min={0}
        allowDecimal={false}
        value={days}
        error={messageFor(error, "overlap")}
        onChange={setDays}
      />
    </Form>
  );
}

function Next({ id, onMade }: MakeProps) {
  const { mutate, isPending, error } = useWrite("POST /v1/account/apikeys/{keyid}/secrets", outdated);
  return (
    <Stack gap="xs" align="flex-start">
      <ErrorNote error={error} />
      <Button
        loading={isPending}
        onClick={() => mutate({ path: { keyid: id } }, { onSuccess: ({ data }) => onMade(data) })}
      >
        {texts.next}
      </Button>
    </Stack>
  );
}
