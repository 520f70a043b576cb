/** One user: settings, rights, and the rights that apply in the end. */
import { Loader, Text } from "@mantine/core";
import { useRead, useWrite } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { PageTabs } from "../../../kit/page.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { Detail } from "../parts/detail.tsx";
import { Effective } from "../rights/effective.tsx";
import { RightsTab } from "../rights/rights-tab.tsx";
import type { Holder } from "../rights/use-effective.ts";
import { UserActs } from "./user-acts.tsx";
import { UserSettings } from "./user-settings.tsx";

export function UserPage({ username }: { readonly username: string }) {
  const { data, error, refetch } = useRead("GET /v1/account/users/{username}", { path: { username } });
  const change = useWrite("POST /v1/account/users/{username}", ["GET /v1/account/users"]);
  const user = data?.data;
  if (!user) {
    return (
      <Detail page="people" title={<span className="name">{username}</span>}>
        {error?.status === 404 ? (
          <Text>{common.notFound}</Text>
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )}
        {!error && <Loader size="sm" />}
      </Detail>
    );
  }
  const holder: Holder = { kind: "users", id: username };
  const rights = () => (
    <RightsTab
      holder={holder}
      permissions={user.permissions}
      isInTeams={user.teams.length > 0}
      isPending={change.isPending}
      error={change.error}
      onSave={(permissions, onSuccess) => change.mutate({ path: { username }, body: { permissions } }, { onSuccess })}
    />
  );
  return (
    <Detail page="people" title={<span className="name">{user.username}</span>} acts={<UserActs user={user} />}>
      <PageTabs
        tabs={[
          { name: "settings", text: common.settings, panel: () => <UserSettings user={user} /> },
          { name: "rights", text: common.rights, panel: rights },
          { name: "effective", text: common.effective, panel: () => <Effective holder={holder} /> },
        ]}
      />
    </Detail>
  );
}
