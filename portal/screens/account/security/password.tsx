/** Changing the own password, or setting the first one of a user whom a link let in. */
import { PasswordInput, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { useSession } from "../../../app/session.tsx";
import { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { Form } from "../../../kit/form.tsx";
import { UsernameField } from "../../../kit/username-field.tsx";
import { securityTexts as texts } from "../../../text/security.ts";

const blank = { current: "", next: "", again: "" };

export function Password() {
  const { user, begin } = useSession();
  const [typed, setTyped] = useState(blank);
  const [isOther, setOther] = useState(false);
  const { mutate, isPending, error } = useWrite("POST /v1/auth/password", ["GET /v1/auth/sessions"]);
  const change = () => {
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
  return (
    <Form
      act={user.has_password ? texts.change : texts.set}
      isPending={isPending}
      error={error}
      fields={["password", "new_password"]}
      isPlain
      onSubmit={change}
      maw={420}
    >
      <Title order={2}>{texts.password}</Title>
      <Text size="sm" c="dimmed">
        {texts.passwordHint}
      </Text>
      <UsernameField username={user.username} />
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
    </Form>
  );
}
