/** All accounts of the service, with counts of what they have. */
import { Group } from "@mantine/core";
import type { Reply } from "../../api/client.ts";
import { useReadAll } from "../../kit/api.ts";
import { Listing } from "../../kit/listing.tsx";
import { State } from "../../kit/state.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { systemTexts as texts } from "../../text/system.ts";

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

export const Accounts = () => (
  <Listing
    read={useReadAll("GET /v1/operator/accounts")}
    label={texts.pages.accounts}
    columns={columns}
    idOf={({ id }) => id}
  />
);
