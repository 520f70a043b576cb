/** One team: its name and allow lists, members, rights, and the rights that apply in the end. */
import { Stack } from "@mantine/core";
import { useOpen } from "../../../app/link.tsx";
import { useRead, useWrite } from "../../../kit/api.ts";
import { RemoveButton } from "../../../kit/remove-button.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { teamsTexts as texts } from "../../../text/teams.ts";
import { HolderPage } from "../parts/holder-page.tsx";
import { Members } from "./members.tsx";
import { TeamSettings } from "./team-settings.tsx";

// the rights of members change with their team
const outdated = ["GET /v1/account/teams", "GET /v1/account/users", "GET /v1/account/apikeys"];

export function TeamPage({ id }: { readonly id: string }) {
  const open = useOpen();
  const path = { teamid: id };
  const read = useRead("GET /v1/account/teams/{teamid}", { path });
  const change = useWrite("POST /v1/account/teams/{teamid}", outdated);
  const remove = useWrite("DELETE /v1/account/teams/{teamid}", ["GET /v1/account/teams$", ...outdated.slice(1)]);
  const team = read.data?.data;
  const settings = () =>
    team && (
      <Stack gap="xl">
        <TeamSettings team={team} write={change} />
        <Members id={id} />
      </Stack>
    );
  return (
    <HolderPage
      page="teams"
      holder={{ kind: "teams", id }}
      title={team?.name ?? id}
      read={read}
      thing={team}
      acts={
        team && (
          <RemoveButton
            texts={texts}
            name={team.name}
            isTyped
            write={remove}
            onRemove={(onSuccess) => remove.mutate({ path }, { onSuccess })}
            onRemoved={() => open({ to: "accountPage", params: { page: "teams" } })}
          />
        )
      }
      tabs={[{ name: "settings", text: common.settings, panel: settings }]}
      write={change}
      onSave={(permissions, onSuccess) => change.mutate({ path, body: { permissions } }, { onSuccess })}
    />
  );
}
