/** Asks for the password and a code, or a recovery code. */
import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ApiError } from "../../../api/client.ts";
import type { BothProofs } from "../../../api/types.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { securityTexts as texts } from "../../../text/security.ts";

interface Props {
  readonly hint?: string;
  readonly act: string;
  readonly isPending: boolean;
  readonly error: ApiError | null;
  readonly onProof: (body: BothProofs) => void;
  readonly onClose: () => void;
}

export function ProofForm({ hint, act, isPending, error, onProof, onClose }: Props) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = code.trim();
    onProof({ password, ...(/^\d{6}$/.test(given) ? { code: given } : { recovery_code: given }) });
  };
  const atPassword = messageFor(error, "password");
  const atCode = messageFor(error, "code") ?? messageFor(error, "recovery_code");
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {hint && <Text size="sm">{hint}</Text>}
        <PasswordInput
          label={texts.current}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          error={atPassword}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <TextInput
          label={texts.code}
          name="code"
          autoComplete="one-time-code"
          required
          value={code}
          error={atCode}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {atPassword === undefined && atCode === undefined && <ErrorNote error={error} />}
        <Group>
          <Button type="submit" loading={isPending}>
            {act}
          </Button>
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
