/** One key: settings, secrets, rights, and the rights that apply in the end. */
import { useOpen } from "../../../app/link.tsx";
import { useRead, useWrite } from "../../../kit/api.ts";
import { RemoveButton } from "../../../kit/remove-button.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { keysTexts as texts } from "../../../text/keys.ts";
import { HolderPage } from "../parts/holder-page.tsx";
import { KeySettings } from "./key-settings.tsx";
import { Secrets } from "./secrets.tsx";

const outdated = ["GET /v1/account/apikeys"];

export function KeyPage({ id }: { readonly id: string }) {
  const open = useOpen();
  const path = { keyid: id };
  const read = useRead("GET /v1/account/apikeys/{keyid}", { path });
  const change = useWrite("POST /v1/account/apikeys/{keyid}", outdated);
  const remove = useWrite("DELETE /v1/account/apikeys/{keyid}", ["GET /v1/account/apikeys$"]);
  const key = read.data?.data;
  return (
    <HolderPage
      page="keys"
      holder={{ kind: "apikeys", id }}
      title={key?.name ?? id}
      read={read}
      thing={key}
      acts={
        key && (
          <RemoveButton
            texts={texts}
            name={key.name}
            isTyped
            write={remove}
            onRemove={(onSuccess) => remove.mutate({ path }, { onSuccess })}
            onRemoved={() => open({ to: "accountPage", params: { page: "keys" } })}
          />
        )
      }
      tabs={[
        { name: "settings", text: common.settings, panel: () => key && <KeySettings apiKey={key} write={change} /> },
        { name: "secrets", text: texts.secrets, panel: () => key && <Secrets apiKey={key} /> },
      ]}
      write={change}
      onSave={(permissions, onSuccess) => change.mutate({ path, body: { permissions } }, { onSuccess })}
    />
  );
}
