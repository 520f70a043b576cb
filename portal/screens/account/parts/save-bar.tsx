/** The bar below a form: what was changed, saving it, and going back to what is stored. It stays in view. */
import { Button, Group, Stack, Text } from "@mantine/core";
import type { ApiError } from "../../../api/client.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { accountTexts as texts } from "../../../text/account.ts";
import classes from "../account.module.css";

interface Props {
  readonly changes: number;
  readonly act: string;
  readonly isPending: boolean;
  readonly error: ApiError | null;
  readonly onDiscard: () => void;
}

export function SaveBar({ changes, act, isPending, error, onDiscard }: Props) {
  return (
    <Stack gap="xs" className={classes["bar"] ?? ""} mod={{ changed: changes > 0 }}>
      <ErrorNote error={error} />
      <Group gap="sm">
        <Button type="submit" loading={isPending} disabled={changes === 0}>
          {act}
        </Button>
        <Button variant="default" disabled={changes === 0} onClick={onDiscard}>
          {texts.discard}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {changes === 0 ? texts.unchanged : texts.changes(changes)}
        </Text>
      </Group>
    </Stack>
  );
}
