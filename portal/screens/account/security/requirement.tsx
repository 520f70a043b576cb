/** Whether all users of the account need a second factor. */
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { useRead, useWrite } from "../../../kit/api.ts";
import { Confirm } from "../../../kit/confirm.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { State } from "../../../kit/state.tsx";
import { peopleTexts } from "../../../text/people.ts";
import { securityTexts as texts } from "../../../text/security.ts";

export function Requirement() {
  const [isAsked, setAsked] = useState(false);
  const { data, error, refetch } = useRead("GET /v1/account/twofactor");
  const write = useWrite("POST /v1/account/twofactor", ["GET /v1/account/twofactor"]);
  const isOn = data?.data.required;
  const set = (required: boolean) =>
    write.mutate(
      { body: { required } },
      {
        onSuccess: () => {
          setAsked(false);
          notifications.show({ message: required ? texts.required : texts.notRequired });
        },
      },
    );
  return (
    <Stack gap="xs" align="flex-start" maw={640}>
      <Group>
        <Title order={2}>{texts.requirement}</Title>
        {isOn !== undefined && (
          <State is={isOn ? "ok" : "off"} text={isOn ? peopleTexts.required : peopleTexts.notRequired} />
        )}
      </Group>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {isOn !== undefined && (
        <>
          <Text size="sm" c="dimmed">
            {isOn ? texts.requirementOn : texts.requirementOff}
          </Text>
          <Button variant="default" loading={write.isPending} onClick={() => (isOn ? set(false) : setAsked(true))}>
            {isOn ? texts.unrequire : texts.require}
          </Button>
        </>
      )}
      {!isAsked && <ErrorNote error={write.error} />}
      {isAsked && (
        <Confirm
          title={texts.requireTitle}
          text={texts.requireText}
          act={texts.require}
          isPending={write.isPending}
          error={write.error}
          onConfirm={() => set(true)}
          onClose={() => setAsked(false)}
        />
      )}
    </Stack>
  );
}
