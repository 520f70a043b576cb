/** Sets the first password of a user who has none. */
import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { PasswordBody } from "../../api/types.ts";
import { useSession } from "../../app/session.tsx";
import { useWrite } from "../../kit/api.ts";
import { ErrorNote, messageFor } from "../../kit/error-note.tsx";
import { welcomeTexts as texts } from "../../text/welcome.ts";

export function FirstPassword() {
  const { user, begin } = useSession();
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [isOther, setOther] = useState(false);
  const { mutate, isPending, error } = useWrite("POST /v1/auth/password", []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setOther(password !== again);
    if (password !== again) return;
    // the current password is left out: there is none
    const body = { new_password: password } as PasswordBody;
    mutate({ body }, { onSuccess: ({ data }) => begin(data) });
  };
  const message = messageFor(error, "new_password");
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{texts.passwordHint}</Text>
        <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
        <PasswordInput
          label={texts.password}
          description={texts.passwordRules}
          name="password"
          autoComplete="new-password"
          required
          autoFocus
          value={password}
          error={message}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <PasswordInput
          label={texts.again}
          name="again"
          autoComplete="new-password"
          required
          value={again}
          error={isOther ? texts.differ : undefined}
          onChange={(event) => setAgain(event.currentTarget.value)}
        />
        {message === undefined && <ErrorNote error={error} />}
        <Group>
          <Button type="submit" loading={isPending}>
            {texts.set}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
