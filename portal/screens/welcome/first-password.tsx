/** Sets the first password of a user who has none. */
import { PasswordInput, Text } from "@mantine/core";
import { useState } from "react";
import type { PasswordBody } from "../../api/types.ts";
import { useSession } from "../../app/session.tsx";
import { useWrite } from "../../kit/api.ts";
import { messageFor } from "../../kit/error-note.tsx";
import { Form } from "../../kit/form.tsx";
import { UsernameField } from "../../kit/username-field.tsx";
import { welcomeTexts as texts } from "../../text/welcome.ts";

export function FirstPassword() {
  const { user, begin } = useSession();
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [isOther, setOther] = useState(false);
  const { mutate, isPending, error } = useWrite("POST /v1/auth/password", []);
  const submit = () => {
    setOther(password !== again);
    if (password !== again) return;
    // the current password is left out: there is none
    const body = { new_password: password } as PasswordBody;
    mutate({ body }, { onSuccess: ({ data }) => begin(data) });
  };
  return (
    <Form act={texts.set} isPending={isPending} error={error} fields={["new_password"]} onSubmit={submit}>
      <Text size="sm">{texts.passwordHint}</Text>
      <UsernameField username={user.username} />
      <PasswordInput
        label={texts.password}
        description={texts.passwordRules}
        name="password"
        autoComplete="new-password"
        required
        autoFocus
        value={password}
        error={messageFor(error, "new_password")}
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
    </Form>
  );
}
