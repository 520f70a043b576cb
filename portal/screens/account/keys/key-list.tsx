/** The list of keys. */
import { Button, Group, TextInput } from "@mantine/core";
import { useMemo } from "react";
import type { ApiKey } from "../../../api/types.ts";
import { PageLink, useOpen } from "../../../app/link.tsx";
import { useAddress } from "../../../kit/address.ts";
import { useReadAll } from "../../../kit/api.ts";
import { Empty } from "../../../kit/empty.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { type Column, Table } from "../../../kit/table.tsx";
import { Time } from "../../../kit/time.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { keysTexts as texts } from "../../../text/keys.ts";
import { useTeamNames } from "../parts/teams-field.tsx";
import { Validity } from "./validity.tsx";

const params = { page: "keys" };

export function KeyList() {
  const open = useOpen();
  const teamsOf = useTeamNames();
  const [filter, setFilter] = useAddress("q");
  const keys = useReadAll("GET /v1/account/apikeys", { query: { limit: 500 } });
  const rows = useMemo(
    () => keys.rows.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase())),
    [keys.rows, filter],
  );
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
      visibleMediaQuery: "(min-width: 48em)",
      render: ({ teams }) => teamsOf(teams),
    },
    { accessor: "expires", title: texts.expires, render: (key) => <Validity apiKey={key} /> },
    { accessor: "last_access", title: common.lastAccess, render: ({ last_access }) => <Time at={last_access} /> },
  ];
  const add = <Button onClick={() => open({ to: "accountPage", params, search: { new: "1" } })}>{texts.add}</Button>;
  if (!keys.isLoading && !keys.error && keys.rows.length === 0) {
    return (
      <Empty title={texts.emptyTitle} text={texts.emptyText}>
        {add}
      </Empty>
    );
  }
  return (
    <>
      <ErrorNote error={keys.error} onRetry={keys.retry} />
      <Group mb="sm" justify="space-between">
        <TextInput
          aria-label={common.filter}
          placeholder={common.filter}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        {add}
      </Group>
      <Table
        label={texts.label}
        rows={rows}
        columns={columns}
        idOf={({ id }) => id}
        isLoading={keys.isLoading}
        total={filter === "" ? keys.total : undefined}
        onMore={keys.more}
        onOpen={({ id }) => open({ to: "accountPage", params, search: { key: id } })}
        empty={common.none}
        error={keys.error}
      />
    </>
  );
}
