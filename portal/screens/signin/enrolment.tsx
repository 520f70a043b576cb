/** Sets up a second factor: the password again, the secret as a picture, a code, and the recovery codes. */
import { Button, Code, Image, List, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Reply } from "../../api/client.ts";
import { useWrite } from "../../kit/api.ts";
import { UsernameField } from "../../kit/username-field.tsx";
import { signinTexts as texts } from "../../text/signin.ts";

interface Props {
  readonly username: string;
  /** Whether the account requires it. */
  readonly isRequired?: boolean;
  readonly onBegin: (signedIn: Reply<"POST /v1/auth/signin">["data"]) => void;
}

export function Enrolment({ username, isRequired = false, onBegin }: Props) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const begun = useWrite("PUT /v1/auth/totp", []);
  const confirmed = useWrite("POST /v1/auth/totp", []);
  const begin = (event: FormEvent) => {
    event.preventDefault();
    begun.mutate({ body: { password } });
  };
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    confirmed.mutate({ body: { code } });
  };
  if (confirmed.data) {
    const { recovery_codes, ...signedIn } = confirmed.data.data;
    return <RecoveryCodes codes={recovery_codes as readonly string[]} onKept={() => onBegin(signedIn)} />;
  }
  if (begun.data) {
    const { qr, secret } = begun.data.data;
    return (
      <form onSubmit={confirm}>
        <Stack>
          <Text size="sm">{texts.enrolHint}</Text>
          <Image src={qr} alt={texts.enrolPicture} w={200} h={200} bg="white" />
          <Text size="sm">
            {texts.enrolSecret}: <Code>{secret}</Code>
          </Text>
          <TextInput
            label={texts.code}
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            value={code}
            error={confirmed.error?.message}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" loading={confirmed.isPending}>
            {texts.enrolSubmit}
          </Button>
        </Stack>
      </form>
    );
  }
  return (
    <form onSubmit={begin}>
      <Stack>
        <Title order={2}>{texts.enrolTitle}</Title>
        {isRequired && <Text size="sm">{texts.enrolRequired}</Text>}
        <UsernameField username={username} />
        <PasswordInput
          label={texts.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          error={begun.error?.message}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={begun.isPending}>
          {texts.next}
        </Button>
      </Stack>
    </form>
  );
}

/** Shows recovery codes, which can be seen only now. */
export function RecoveryCodes({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
  return (
    <Stack>
      <Title order={2}>{texts.codesTitle}</Title>
      <Text size="sm">{texts.codesHint}</Text>
      <List listStyleType="none">
        {codes.map((code) => (
          <List.Item key={code}>
            <Code>{code}</Code>
          </List.Item>
        ))}
      </List>
      <Button onClick={onKept}>{texts.codesKept}</Button>
    </Stack>
  );
}
