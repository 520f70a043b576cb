/** One user: settings, rights, the rights that apply in the end, and the pages as the user finds them. */
import { useRead, useWrite } from "../../../kit/api.ts";
import { accountTexts as common } from "../../../text/account.ts";
import { rightsTexts } from "../../../text/rights.ts";
import { HolderPage } from "../parts/holder-page.tsx";
import { OpenPages } from "../rights/open-pages.tsx";
import { UserActs } from "./user-acts.tsx";
import { UserSettings } from "./user-settings.tsx";

export function UserPage({ username }: { readonly username: string }) {
  const path = { username };
  const read = useRead("GET /v1/account/users/{username}", { path });
  const change = useWrite("POST /v1/account/users/{username}", ["GET /v1/account/users"]);
  const user = read.data?.data;
  return (
    <HolderPage
      page="people"
      holder={{ kind: "users", id: username }}
      title={<span className="name">{username}</span>}
      read={read}
      thing={user}
      acts={user && <UserActs user={user} />}
      tabs={[{ name: "settings", text: common.settings, panel: () => user && <UserSettings user={user} /> }]}
      more={[{ name: "pages", text: rightsTexts.asUser, panel: () => <OpenPages username={username} /> }]}
      write={change}
      onSave={(permissions, onSuccess) => change.mutate({ path, body: { permissions } }, { onSuccess })}
    />
  );
}
