/** One key: settings, secrets, rights, and the rights that apply in the end. */
import { Loader, Text } from "@mantine/core";
import { useOpen } from "../../../app/link.tsx";
import { useRead, useWrite } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { PageTabs } from "../../../kit/page.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { keysTexts as texts } from "../../../text/keys.ts";
import { Detail } from "../parts/detail.tsx";
import { RemoveButton } from "../parts/remove-button.tsx";
import { Effective } from "../rights/effective.tsx";
import { RightsTab } from "../rights/rights-tab.tsx";
import type { Holder } from "../rights/use-effective.ts";
import { KeySettings } from "./key-settings.tsx";
import { Secrets } from "./secrets.tsx";

const outdated = ["GET /v1/account/apikeys"];

export function KeyPage({ id }: { readonly id: string }) {
  const open = useOpen();
  const path = { keyid: id };
  const { data, error, refetch } = useRead("GET /v1/account/apikeys/{keyid}", { path });
  const change = useWrite("POST /v1/account/apikeys/{keyid}", outdated);
  const remove = useWrite("DELETE /v1/account/apikeys/{keyid}", ["GET /v1/account/apikeys$"]);
  const key = data?.data;
  if (!key) {
    return (
      <Detail page="keys" title={id}>
        {error?.status === 404 ? (
          <Text>{common.notFound}</Text>
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )}
        {!error && <Loader size="sm" />}
      </Detail>
    );
  }
  const holder: Holder = { kind: "apikeys", id };
  const { name } = key;
  const rights = () => (
    <RightsTab
      holder={holder}
      permissions={key.permissions}
      isInTeams={key.teams.length > 0}
      isPending={change.isPending}
      error={change.error}
      onSave={(permissions, onSuccess) => change.mutate({ path, body: { permissions } }, { onSuccess })}
    />
  );
  return (
    <Detail
      page="keys"
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
          onRemoved={() => open({ to: "accountPage", params: { page: "keys" } })}
        />
      }
    >
      <PageTabs
        tabs={[
          { name: "settings", text: common.settings, panel: () => <KeySettings apiKey={key} write={change} /> },
          { name: "secrets", text: texts.secrets, panel: () => <Secrets apiKey={key} /> },
          { name: "rights", text: common.rights, panel: rights },
          { name: "effective", text: common.effective, panel: () => <Effective holder={holder} /> },
        ]}
      />
    </Detail>
  );
}
