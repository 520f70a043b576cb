/** The user's own sessions, each of which can be ended. */
import { Button, Group, Stack, Text, Title, Tooltip } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useRead, useWrite } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { ScrollTable } from "../../../kit/scroll-table.tsx";
import { State } from "../../../kit/state.tsx";
import { Time } from "../../../kit/time.tsx";
import { securityTexts as texts } from "../../../text/security.ts";
import { agentOf } from "./agent.ts";

const outdated = ["GET /v1/auth/sessions"];

export function Sessions() {
  const { data, error, refetch } = useRead("GET /v1/auth/sessions");
  const end = useWrite("DELETE /v1/auth/sessions/{id}", outdated);
  const endOthers = useWrite("DELETE /v1/auth/sessions", outdated);
  const say = (message: string) => ({ onSuccess: () => notifications.show({ message }) });
  const sessions = data?.data ?? [];
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2}>{texts.sessions}</Title>
        {sessions.length > 1 && (
          <Button
            variant="default"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate({}, say(texts.othersEnded))}
          >
            {texts.endOthers}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {texts.sessionsHint}
      </Text>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      <ErrorNote error={end.error ?? endOthers.error} />
      {sessions.length > 0 && (
        <ScrollTable
          label={texts.sessions}
          heads={[texts.browser, texts.address, texts.began, texts.used]}
          rows={sessions.map(({ id, agent, address, created, used_at, current }) => ({
            id,
            cells: [
              <Tooltip key="agent" label={agent} multiline maw={400}>
                <span>{agentOf(agent)}</span>
              </Tooltip>,
              <span key="address" className="name">
                {address}
              </span>,
              <Time key="began" at={created} />,
              <Time key="used" at={used_at} />,
              current ? (
                <State key="act" is="ok" text={texts.thisOne} />
              ) : (
                <Button
                  key="act"
                  size="compact-sm"
                  variant="default"
                  aria-label={texts.endAct(agentOf(agent))}
                  onClick={() => end.mutate({ path: { id } }, say(texts.ended))}
                >
                  {texts.end}
                </Button>
              ),
            ],
          }))}
        />
      )}
    </Stack>
  );
}
