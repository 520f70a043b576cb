/** Changing the own password, or setting the first one of a user whom a link let in. */
import { Button, Group, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type FormEvent, useState } from "react";
import { useSession } from "../../../app/session.tsx";
import { useWrite } from "../../../kit/api.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { securityTexts as texts } from "../../../text/security.ts";

const blank = { current: "", next: "", again: "" };

export function Password() {
  const { user, begin } = useSession();
  const [typed, setTyped] = useState(blank);
  const [isOther, setOther] = useState(false);
  const { mutate, isPending, error } = useWrite("POST /v1/auth/password", ["GET /v1/auth/sessions"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setOther(typed.next !== typed.again);
    if (typed.next !== typed.again) return;
    mutate(
      { body: { ...(user.has_password && { password: typed.current }), new_password: typed.next } },
      {
        onSuccess: ({ data }) => {
          begin(data);
          setTyped(blank);
          notifications.show({ message: texts.changed });
        },
      },
    );
  };
  const fields = [
    ...(user.has_password
      ? [["current", texts.current, undefined, "current-password", messageFor(error, "password")] as const]
      : []),
    ["next", texts.next, texts.nextHint, "new-password", messageFor(error, "new_password")],
    ["again", texts.again, undefined, "new-password", isOther ? texts.differ : undefined],
  ] as const;
  const isAtField = fields.some(([, , , , message]) => message !== undefined);
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={420}>
        <Title order={2}>{texts.password}</Title>
        <Text size="sm" c="dimmed">
          {texts.passwordHint}
        </Text>
        <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
        {fields.map(([name, label, description, autoComplete, message]) => (
          <PasswordInput
            key={name}
            label={label}
            description={description}
            name={name}
            autoComplete={autoComplete}
            required
            value={typed[name]}
            error={message}
            onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
          />
        ))}
        {!isAtField && <ErrorNote error={error} />}
        <Group>
          <Button type="submit" variant="default" loading={isPending}>
            {user.has_password ? texts.change : texts.set}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
