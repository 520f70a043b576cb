/** The list of keys. */
import { Button } from "@mantine/core";
import type { ApiKey } from "../../../api/types.ts";
import { PageLink, useOpen } from "../../../app/link.tsx";
import { useReadAll } from "../../../kit/api.ts";
import { Listing } from "../../../kit/listing.tsx";
import type { Column } from "../../../kit/table.tsx";
import { Time } from "../../../kit/time.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { keysTexts as texts } from "../../../text/keys.ts";
import { useTeamNames } from "../parts/teams-field.tsx";
import { Validity } from "./validity.tsx";

const params = { page: "keys" };

export function KeyList() {
  const open = useOpen();
  const teamsOf = useTeamNames();
  const keys = useReadAll("GET /v1/account/apikeys", { query: { limit: 500 } });
  const columns: readonly Column<ApiKey>[] = [
    {
      accessor: "name",
      title: common.name,
      render: ({ id, name }) => (
        <PageLink to="accountPage" params={params} search={{ key: id }} fw={600}>
          {name}
        </PageLink>
      ),
    },
    {
      accessor: "teams",
      title: common.teams,
      render: ({ teams }) => teamsOf(teams),
    },
    { accessor: "expires", title: texts.expires, render: (key) => <Validity apiKey={key} /> },
    { accessor: "last_access", title: common.lastAccess, render: ({ last_access }) => <Time at={last_access} /> },
  ];
  const add = <Button onClick={() => open({ to: "accountPage", params, search: { new: "1" } })}>{texts.add}</Button>;
  return (
    <Listing
      read={keys}
      textsOf={({ name }) => [name]}
      add={add}
      first={{ title: texts.emptyTitle, text: texts.emptyText }}
      label={texts.label}
      columns={columns}
      idOf={({ id }) => id}
      onOpen={({ id }) => open({ to: "accountPage", params, search: { key: id } })}
    />
  );
}
