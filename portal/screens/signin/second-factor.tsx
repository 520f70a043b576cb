/** The second step: a code of the app, or a recovery code. */
import { Anchor, Button, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Reply } from "../../api/client.ts";
import { useWrite } from "../../kit/api.ts";
import { signinTexts as texts } from "../../text/signin.ts";

interface Props {
  readonly onBegin: (signedIn: Reply<"POST /v1/auth/signin">["data"]) => void;
}

export function SecondFactor({ onBegin }: Props) {
  const [isRecovery, setRecovery] = useState(false);
  const [code, setCode] = useState("");
  const { mutate, isPending, error, reset } = useWrite("POST /v1/auth/secondfactor", []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = isRecovery ? { recovery_code: code } : { code };
    mutate({ body }, { onSuccess: ({ data }) => onBegin(data) });
  };
  const change = () => {
    setRecovery(!isRecovery);
    setCode("");
    reset();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          key={String(isRecovery)}
          label={isRecovery ? texts.recovery : texts.code}
          description={isRecovery ? undefined : texts.codeHint}
          name={isRecovery ? "recovery" : "code"}
          autoComplete={isRecovery ? "off" : "one-time-code"}
          inputMode={isRecovery ? "text" : "numeric"}
          required
          autoFocus
          value={code}
          error={error?.message}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={isPending}>
          {texts.next}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={change}>
          {isRecovery ? texts.useCode : texts.useRecovery}
        </Anchor>
      </Stack>
    </form>
  );
}
