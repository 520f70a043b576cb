/**
 * A refusal in words, where it belongs: at its field, or as a note with another try. That the service does not answer is
 * said once for all reads, by the notices.
 */
import { Alert, Button, Group, Text } from "@mantine/core";
import type { ApiError } from "../api/client.ts";
import { kitTexts } from "../text/kit.ts";
import { visibleOf } from "./plain.ts";

interface Props {
  readonly error: ApiError | null | undefined;
  readonly onRetry?: () => void;
}

export function ErrorNote({ error, onRetry }: Props) {
  if (!error) return null;
  if (onRetry && error.isPassing) {
    return (
      <Group gap="xs" mb="xs">
        <Text size="sm" c="dimmed">
          {kitTexts.failed}
        </Text>
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          {kitTexts.retry}
        </Button>
      </Group>
    );
  }
  return (
    <Alert color={isRefused(error) ? "yellow" : "red"} role="alert">
      <Group justify="space-between">
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {visibleOf(error.message)}
        </Text>
        {onRetry && !isRefused(error) && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            {kitTexts.retry}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** Whether the user may not see or do it: trying again does not help. */
export const isRefused = (error: ApiError | null | undefined): boolean => error?.status === 403;

/** The message for one field, without the field's name in front; undefined when the refusal is about another. */
export function messageFor(error: ApiError | null | undefined, field: string): string | undefined {
  if (error?.field === undefined) return undefined;
  if (error.field !== field && !error.field.startsWith(`${field}.`) && !error.field.startsWith(`${field}[`))
    return undefined;
  // the message may name the thing that has the field
  const [lead = "", named = ""] = /^([\w.[\]]+): /.exec(error.message) ?? [];
  return error.field.startsWith(named) ? error.message.slice(lead.length) : error.message;
}
