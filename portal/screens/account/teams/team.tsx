/** One team: its name and allow lists, members, rights, and the rights that apply in the end. */
import { Loader, Stack, Text } from "@mantine/core";
import { useOpen } from "../../../app/link.tsx";
import { useRead, useWrite } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { PageTabs } from "../../../kit/page.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { teamsTexts as texts } from "../../../text/teams.ts";
import { Detail } from "../parts/detail.tsx";
import { RemoveButton } from "../parts/remove-button.tsx";
import { Effective } from "../rights/effective.tsx";
import { RightsTab } from "../rights/rights-tab.tsx";
import type { Holder } from "../rights/use-effective.ts";
import { Members } from "./members.tsx";
import { TeamSettings } from "./team-settings.tsx";

// the rights of members change with their team
const outdated = ["GET /v1/account/teams", "GET /v1/account/users", "GET /v1/account/apikeys"];

export function TeamPage({ id }: { readonly id: string }) {
  const open = useOpen();
  const path = { teamid: id };
  const { data, error, refetch } = useRead("GET /v1/account/teams/{teamid}", { path });
  const change = useWrite("POST /v1/account/teams/{teamid}", outdated);
  const remove = useWrite("DELETE /v1/account/teams/{teamid}", ["GET /v1/account/teams$", ...outdated.slice(1)]);
  const team = data?.data;
  if (!team) {
    return (
      <Detail page="teams" title={id}>
        {error?.status === 404 ? (
          <Text>{common.notFound}</Text>
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )}
        {!error && <Loader size="sm" />}
      </Detail>
    );
  }
  const holder: Holder = { kind: "teams", id };
  const { name } = team;
  const rights = () => (
    <RightsTab
      holder={holder}
      permissions={team.permissions}
      isInTeams={false}
      isPending={change.isPending}
      error={change.error}
      onSave={(permissions, onSuccess) => change.mutate({ path, body: { permissions } }, { onSuccess })}
    />
  );
  const settings = () => (
    <Stack gap="xl">
      <TeamSettings team={team} write={change} />
      <Members id={id} />
    </Stack>
  );
  return (
    <Detail
      page="teams"
      title={name}
      acts={
        <RemoveButton
          name={name}
          act={texts.remove}
          title={texts.removeTitle(name)}
          text={texts.removeText}
          done={texts.removed(name)}
          write={remove}
          onRemove={(onSuccess) => remove.mutate({ path }, { onSuccess })}
          onRemoved={() => open({ to: "accountPage", params: { page: "teams" } })}
        />
      }
    >
      <PageTabs
        tabs={[
          { name: "settings", text: common.settings, panel: settings },
          { name: "rights", text: common.rights, panel: rights },
          { name: "effective", text: common.effective, panel: () => <Effective holder={holder} /> },
        ]}
      />
    </Detail>
  );
}
