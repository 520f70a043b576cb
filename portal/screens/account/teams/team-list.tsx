/** The list of teams. */
import { Button } from "@mantine/core";
import { useMemo } from "react";
import type { Team } from "../../../api/types.ts";
import { PageLink, useOpen } from "../../../app/link.tsx";
import { useBodySchema } from "../../../kit/body-schema.ts";
import { Listing } from "../../../kit/listing.tsx";
import type { Column } from "../../../kit/table.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { rightsTexts } from "../../../text/rights.ts";
import { teamsTexts as texts } from "../../../text/teams.ts";
import { useTeams } from "../parts/teams-field.tsx";
import { type Flag, groupsOf } from "../rights/groups.ts";
import { useKnownRights } from "../rights/use-known-rights.ts";

const params = { page: "teams" };

const columnsOf = (flags: readonly Flag[]): readonly Column<Team>[] => [
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
    render: ({ permissions }) =>
      flags.length > 0 &&
      rightsTexts.granted(flags.filter((flag) => isGranted(permissions, flag)).length, flags.length),
  },
  {
    accessor: "ip_whitelist",
    title: texts.from,
    render: ({ ip_whitelist }) => texts.addresses(ip_whitelist.flatMap(({ values }) => values).length),
  },
];

/** Replies show every right with its effective value, and fields that are none. */
const isGranted = (permissions: Team["permissions"], { group, name }: Flag) =>
  (permissions as { readonly [group: string]: { readonly [name: string]: unknown } })[group]?.[name] === true;

export function TeamList() {
  const open = useOpen();
  const teams = useTeams();
  const schema = useBodySchema("PUT /v1/account/teams").schema?.properties?.["permissions"];
  const known = useKnownRights();
  const columns = useMemo(
    () => columnsOf(schema ? groupsOf(schema, known).flatMap(({ flags }) => flags) : []),
    [schema, known],
  );
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
