/** The users and keys of a team. */
import { List, Stack, Text, Title } from "@mantine/core";
import { PageLink } from "../../../app/link.tsx";
import { useReadAll } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { teamsTexts as texts } from "../../../text/teams.ts";

const query = { limit: 500 };

export function Members({ id }: { readonly id: string }) {
  const users = useReadAll("GET /v1/account/users", { query });
  const keys = useReadAll("GET /v1/account/apikeys", { query });
  const isIn = ({ teams }: { readonly teams: readonly string[] }) => teams.includes(id);
  const people = users.rows.filter(isIn);
  const programs = keys.rows.filter(isIn);
  const isRead = !users.isLoading && !keys.isLoading && !users.error && !keys.error;
  return (
    <Stack gap={4}>
      <Title order={3}>{texts.members}</Title>
      <ErrorNote error={users.error ?? keys.error} />
      {isRead && people.length + programs.length === 0 && <Text size="sm">{texts.noMembers}</Text>}
      <List size="sm">
        {people.map(({ username }) => (
          <List.Item key={username}>
            <PageLink to="accountPage" params={{ page: "people" }} search={{ user: username }} className="name">
              {username}
            </PageLink>{" "}
            <Text span size="xs" c="dimmed">
              {texts.user}
            </Text>
          </List.Item>
        ))}
        {programs.map((key) => (
          <List.Item key={key.id}>
            <PageLink to="accountPage" params={{ page: "keys" }} search={{ key: key.id }}>
              {key.name}
            </PageLink>{" "}
            <Text span size="xs" c="dimmed">
              {texts.key}
            </Text>
          </List.Item>
        ))}
      </List>
      {(users.more ?? keys.more) && (
        <Text size="sm" c="dimmed">
          {texts.more}
        </Text>
      )}
    </Stack>
  );
}
