/** Asks for a link that sets a new password. */
import { Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useWrite } from "../../kit/api.ts";
import { signinTexts as texts } from "../../text/signin.ts";

export function Forgotten({ onBack }: { readonly onBack: () => void }) {
  const [username, setUsername] = useState("");
  const { mutate, isPending, isSuccess, error } = useWrite("POST /v1/auth/forgot", []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ body: { username } });
  };
  const back = (
    <Anchor component="button" type="button" size="sm" onClick={onBack}>
      {texts.back}
    </Anchor>
  );
  if (isSuccess) {
    return (
      <Stack>
        <Text role="status">{texts.forgotSent}</Text>
        {back}
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={2}>{texts.forgotTitle}</Title>
        <TextInput
          label={texts.forgotName}
          name="username"
          autoComplete="username"
          required
          value={username}
          error={error?.message}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <Button type="submit" loading={isPending}>
          {texts.forgotSubmit}
        </Button>
        {back}
      </Stack>
    </form>
  );
}
