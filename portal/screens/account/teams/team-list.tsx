/** The list of teams. */
import { Button } from "@mantine/core";
import type { Team } from "../../../api/types.ts";
import { PageLink, useOpen } from "../../../app/link.tsx";
import { Listing } from "../../../kit/listing.tsx";
import type { Column } from "../../../kit/table.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { rightsTexts } from "../../../text/rights.ts";
import { teamsTexts as texts } from "../../../text/teams.ts";
import { useTeams } from "../parts/teams-field.tsx";

const params = { page: "teams" };

const columns: readonly Column<Team>[] = [
  {
    accessor: "name",
    title: common.name,
    render: ({ id, name }) => (
      <PageLink to="accountPage" params={params} search={{ team: id }} fw={600}>
        {name}
      </PageLink>
    ),
  },
  {
    accessor: "permissions",
    title: texts.granted,
    render: ({ permissions }) => rightsTexts.granted(...count(permissions)),
  },
  {
    accessor: "ip_whitelist",
    title: texts.from,
    render: ({ ip_whitelist }) => texts.addresses(ip_whitelist.flatMap(({ values }) => values).length),
  },
];

/** How many rights are granted, and of how many. */
function count(permissions: Team["permissions"]): [number, number] {
  const groups = Object.values(permissions).filter((group) => typeof group === "object" && group !== null);
  const flags = groups
    .flatMap((group) => Object.entries(group as object))
    .filter(([name, value]) => typeof value === "boolean" && name !== "zones_allow_by_default");
  return [flags.filter(([, value]) => value === true).length, flags.length];
}

export function TeamList() {
  const open = useOpen();
  const teams = useTeams();
  const add = <Button onClick={() => open({ to: "accountPage", params, search: { new: "1" } })}>{texts.add}</Button>;
  return (
    <Listing
      read={teams}
      add={add}
      first={{ title: texts.emptyTitle, text: texts.emptyText }}
      label={texts.label}
      columns={columns}
      idOf={({ id }) => id}
      onOpen={({ id }) => open({ to: "accountPage", params, search: { team: id } })}
    />
  );
}
