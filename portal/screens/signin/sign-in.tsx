/** Signing in: as the whole page, or over the page when a session has ended. */
import { Alert, Modal, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { Reply } from "../../api/client.ts";
import { signinTexts as texts } from "../../text/signin.ts";
import { Enrolment } from "./enrolment.tsx";
import { Forgotten } from "./forgotten.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { Unreachable } from "./unreachable.tsx";

type SignedIn = Reply<"POST /v1/auth/signin">["data"];

interface Props {
  /** Whether there is a page below, whose session has ended. */
  readonly isOver: boolean;
  readonly isReachable: boolean;
  readonly incomplete: SignedIn | undefined;
  /** Why the link of a start did not sign the first user in. */
  readonly refusal?: string | undefined;
  readonly onBegin: (signedIn: SignedIn) => void;
  readonly onRetry: () => void;
}

export function SignIn({ isOver, refusal, ...props }: Props) {
  if (!isOver) {
    return (
      <Stack component="main" align="center" pt="12vh" px="md">
        <Paper withBorder p="xl" w="100%" maw={400}>
          <Title order={1} mb="md">
            {texts.title}
          </Title>
          {refusal !== undefined && (
            <Alert color="yellow" mb="md" role="alert">
              {refusal}
            </Alert>
          )}
          <Steps {...props} />
        </Paper>
      </Stack>
    );
  }
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} closeOnEscape={false} title={texts.over} zIndex={1000}>
      <Text size="sm" c="dimmed" mb="md">
        {texts.overHint}
      </Text>
      <Steps {...props} />
    </Modal>
  );
}

function Steps({ isReachable, incomplete, onBegin, onRetry }: Omit<Props, "isOver" | "refusal">) {
  const [isForgotten, setForgotten] = useState(false);
  if (!isReachable) return <Unreachable onRetry={onRetry} />;
  if (incomplete?.stage === "second_factor") return <SecondFactor onBegin={onBegin} />;
  if (incomplete?.stage === "enrolment")
    return <Enrolment username={incomplete.user.username} isRequired onBegin={onBegin} />;
  if (isForgotten) return <Forgotten onBack={() => setForgotten(false)} />;
  return <PasswordForm onBegin={onBegin} onForgotten={() => setForgotten(true)} />;
}
