/** All accounts of the service, with counts of what they have. */
import { Group } from "@mantine/core";
import type { Reply } from "../../api/client.ts";
import { useReadAll } from "../../kit/api.ts";
import { State } from "../../kit/state.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { systemTexts as texts } from "../../text/system.ts";
import { Refused } from "./refused.tsx";

type Account = Reply<"GET /v1/operator/accounts">["data"][number];

const count = (name: "zones" | "records" | "users" | "keys"): Column<Account> => ({
  accessor: name,
  title: texts[name],
  textAlign: "right",
  render: (account) => new Intl.NumberFormat().format(account[name]),
});

const columns: readonly Column<Account>[] = [
  {
    accessor: "name",
    title: texts.account,
    render: ({ name, operator, suspended_at }) => (
      <Group gap="xs">
        {name}
        {operator && <State is="ok" text={texts.operator} />}
        {suspended_at !== null && <State is="off" text={texts.suspended} />}
      </Group>
    ),
  },
  ...(["zones", "records", "users", "keys"] as const).map(count),
  { accessor: "created", title: texts.started, render: ({ created }) => <Time at={created} /> },
];

export function Accounts() {
  const accounts = useReadAll("GET /v1/operator/accounts");
  if (accounts.error) return <Refused error={accounts.error} onRetry={accounts.retry} />;
  return (
    <Table
      label={texts.pages.accounts}
      rows={accounts.rows}
      columns={columns}
      idOf={({ id }) => id}
      isLoading={accounts.isLoading}
      onMore={accounts.more}
    />
  );
}
