/** A form for something that exists, with a bar below: what was changed, saving it, and going back. The bar stays in view. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import type { ApiError } from "../../../api/client.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { sending } from "../../../kit/form.tsx";
import { accountTexts as texts } from "../../../text/account.ts";
import classes from "../account.module.css";

interface Props {
  /** The number of changes, and a function that forgets them. */
  readonly form: { readonly count: number; readonly forget: () => void };
  /** The text of the button that saves. */
  readonly act: string;
  /** The note after saving. */
  readonly saved?: string;
  readonly write: { readonly isPending: boolean; readonly error: ApiError | null };
  readonly onSave: (onSuccess: () => void) => void;
  readonly maw?: number;
  readonly children: ReactNode;
}

export function SettingsForm({ form, act, saved = texts.saved, write, onSave, maw, children }: Props) {
  const { count, forget } = form;
  const save = () =>
    onSave(() => {
      forget();
      notifications.show({ message: saved });
    });
  return (
    <form onSubmit={sending(save)}>
      <Stack gap="sm" maw={maw}>
        {children}
      </Stack>
      <Stack gap="xs" className={classes["bar"] ?? ""} mod={{ changed: count > 0 }}>
        <ErrorNote error={write.error} />
        <Group gap="sm">
          <Button type="submit" loading={write.isPending} disabled={count === 0}>
            {act}
          </Button>
          <Button variant="default" disabled={count === 0} onClick={forget}>
            {texts.discard}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {count === 0 ? texts.unchanged : texts.changes(count)}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
