/** The first step: user name and password. */
import { Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Reply } from "../../api/client.ts";
import { useWrite } from "../../kit/api.ts";
import { signinTexts as texts } from "../../text/signin.ts";

interface Props {
  readonly onBegin: (signedIn: Reply<"POST /v1/auth/signin">["data"]) => void;
  readonly onForgotten: () => void;
}

export function PasswordForm({ onBegin, onForgotten }: Props) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const { mutate, isPending, error } = useWrite("POST /v1/auth/signin", []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ body: { username, password } }, { onSuccess: ({ data }) => onBegin(data) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={texts.username}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          data-autofocus
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label={texts.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          error={error?.message}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={isPending}>
          {texts.submit}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onForgotten}>
          {texts.forgot}
        </Anchor>
      </Stack>
    </form>
  );
}
