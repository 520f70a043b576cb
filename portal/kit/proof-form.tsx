/** Asks for the password, and a code or a recovery code where there is a second factor. */
import { PasswordInput, Text } from "@mantine/core";
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import type { BothProofs } from "../api/types.ts";
import { useSession } from "../app/session.tsx";
import { securityTexts as texts } from "../text/security.ts";
import { messageFor } from "./error-note.tsx";
import { Form } from "./form.tsx";
import { TextField } from "./text-field.tsx";
import { UsernameField } from "./username-field.tsx";

interface Props {
  readonly hint?: string;
  readonly act: string;
  readonly isPending: boolean;
  readonly error: ApiError | null;
  readonly onProof: (body: BothProofs) => void;
  readonly onClose: () => void;
}

export function ProofForm({ hint, act, isPending, error, onProof, onClose }: Props) {
  const { user } = useSession();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const hasFactor = user["2fa_enabled"];
  const prove = () => {
    const given = code.trim();
    const second = /^\d{6}$/.test(given) ? { code: given } : { recovery_code: given };
    onProof({ password, ...(hasFactor ? second : {}) });
  };
  return (
    <Form
      act={act}
      isPending={isPending}
      error={error}
      fields={["password", "code", "recovery_code"]}
      onSubmit={prove}
      other={[texts.cancel, onClose]}
    >
      {hint && <Text size="sm">{hint}</Text>}
      <UsernameField username={user.username} />
      <PasswordInput
        label={texts.current}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        error={messageFor(error, "password")}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {hasFactor && (
        <TextField
          label={texts.code}
          name="code"
          autoComplete="one-time-code"
          required
          value={code}
          error={messageFor(error, "code") ?? messageFor(error, "recovery_code")}
          onChange={setCode}
        />
      )}
    </Form>
  );
}
