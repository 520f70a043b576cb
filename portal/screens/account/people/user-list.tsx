/** The list of users. */
import { Badge, Button, Group, Text } from "@mantine/core";
import type { User } from "../../../api/types.ts";
import { PageLink, useOpen } from "../../../app/link.tsx";
import { useSession } from "../../../app/session.tsx";
import { useReadAll } from "../../../kit/api.ts";
import { Empty } from "../../../kit/empty.tsx";
import { Listing } from "../../../kit/listing.tsx";
import { State } from "../../../kit/state.tsx";
import type { Column } from "../../../kit/table.tsx";
import { Time } from "../../../kit/time.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { peopleTexts as texts } from "../../../text/people.ts";
import { useTeamNames } from "../parts/teams-field.tsx";

const params = { page: "people" };

export function UserList() {
  const open = useOpen();
  const { user: me } = useSession();
  const teamsOf = useTeamNames();
  const users = useReadAll("GET /v1/account/users", { query: { limit: 500 } });
  const columns: readonly Column<User>[] = [
    {
      accessor: "username",
      title: texts.username,
      render: ({ username, name }) => (
        <Group gap="2px 8px">
          <PageLink to="accountPage" params={params} search={{ user: username }} fw={600} className="name">
            {username}
          </PageLink>
          {username === me.username && (
            <Badge size="xs" variant="default" tt="none">
              {texts.you}
            </Badge>
          )}
          <Text span size="xs" c="dimmed">
            {name}
          </Text>
        </Group>
      ),
    },
    { accessor: "email", title: texts.email },
    {
      accessor: "2fa_enabled",
      title: texts.factor,
      render: (one) => (
        <State is={one["2fa_enabled"] ? "ok" : "off"} text={one["2fa_enabled"] ? texts.factorOn : texts.factorOff} />
      ),
    },
    { accessor: "teams", title: common.teams, render: ({ teams }) => teamsOf(teams) },
    {
      accessor: "last_access",
      title: common.lastAccess,
      render: ({ last_access }) => <Time at={last_access} />,
    },
  ];
  const add = <Button onClick={() => open({ to: "accountPage", params, search: { new: "1" } })}>{texts.invite}</Button>;
  return (
    <>
      <Listing
        read={users}
        textsOf={({ username, name, email }) => [username, name, email]}
        add={add}
        label={texts.label}
        columns={columns}
        idOf={({ id }) => id}
        onOpen={({ username }) => open({ to: "accountPage", params, search: { user: username } })}
      />
      {users.rows.length === 1 && !users.more && <Empty title={texts.emptyTitle} text={texts.emptyText} />}
    </>
  );
}
